import { expect, it } from 'vitest'
import { readAacConfig } from './aac-config.ts'

/** Fills the last byte up with zeros. */
function toBytes(bits: string): Uint8Array {
  const bytes = bits.replaceAll(' ', '').match(/.{1,8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => parseInt(byte.padEnd(8, '0'), 2))
}

const rate12k = '000000000010111011100000'
const behind = { sbr: '01010110111 00101 1 0011', ps: '10101001000 1' }

it.each([
  [
    'of low complexity',
    '00010 0100 0010 000',
    { codec: 'mp4a.40.2', sampleRate: 44_100, numberOfChannels: 2 },
  ],
  ['of 7.1 channels', '00010 0011 0111 000', { codec: 'mp4a.40.2', sampleRate: 48_000, numberOfChannels: 8 }],
  [
    'with a rate that has no index',
    `00010 1111 ${rate12k} 0001 000`,
    { codec: 'mp4a.40.2', sampleRate: 12_000, numberOfChannels: 1 },
  ],
  [
    'with spectral band replication',
    '00101 0110 0010 0011 00010 000',
    { codec: 'mp4a.40.5', sampleRate: 48_000, numberOfChannels: 2 },
  ],
  [
    'with parametric stereo',
    '11101 0110 0001 0011 00010 000',
    { codec: 'mp4a.40.29', sampleRate: 48_000, numberOfChannels: 2 },
  ],
  [
    'with spectral band replication that older decoders do not see',
    `00010 0110 0001 000 ${behind.sbr}`,
    { codec: 'mp4a.40.2', sampleRate: 48_000, numberOfChannels: 1 },
  ],
  [
    'with parametric stereo that older decoders do not see',
    `00010 0110 0001 000 ${behind.sbr} ${behind.ps}`,
    { codec: 'mp4a.40.2', sampleRate: 48_000, numberOfChannels: 2 },
  ],
  [
    'of a later type',
    '11111 001010 0011 0010 000',
    { codec: 'mp4a.40.42', sampleRate: 48_000, numberOfChannels: 2 },
  ],
  [
    'whose channels are described elsewhere',
    '00010 0100 0000 000',
    { codec: 'mp4a.40.2', sampleRate: 44_100 },
  ],
  ['that is empty', '', { codec: 'mp4a.40.0', sampleRate: 96_000 }],
])('17.488 reads the configuration of AAC %s', (_name, bits, expected) => {
  expect(readAacConfig(toBytes(bits))).toEqual(expected)
})

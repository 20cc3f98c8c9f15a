import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FileWindow } from '../src/library/seekable/audio-packets.ts'
import { readOggPackets } from '../src/library/seekable/ogg-packets.ts'

const seeds = join(import.meta.dirname, 'audio', 'two-seconds')

/**
 * Puts the packets of an Ogg file into WebM, as a recorder does: without cues, or sizes of what is not complete.
 * `gapMs`: after the first second.
 */
export function recordWebm(name: string, { withCues = false, gapMs = 0 } = {}): Buffer {
  const descriptor = openSync(join(seeds, name), 'r')
  const { packets, timescale } = readOggPackets(new FileWindow(descriptor))
  const bytes = readFileSync(join(seeds, name))
  let time = 0
  const all = [...packets]
  closeSync(descriptor)
  const blocks = all.map(({ parts, duration }) => {
    const ms = Math.round((time / timescale) * 1_000) + (time > timescale ? gapMs : 0)
    time += duration
    const head = Buffer.from([0x81, 0, 0, 0x80])
    head.writeInt16BE(ms, 1)
    return element(
      'a3',
      Buffer.concat([head, ...parts.map(([at, length]) => bytes.subarray(at, at + length))]),
    )
  })
  const track = element(
    'ae',
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([2])),
    element('86', Buffer.from(name.endsWith('.opus') ? 'A_OPUS' : 'A_VORBIS')),
    element('63a2', headersOf(bytes)),
    element(
      'e1',
      element('b5', samplingFrequency(timescale)),
      element('9f', Buffer.from([channelsOf(bytes)])),
    ),
  )
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element('1549a966', element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]))),
    element('1654ae6b', track),
    Buffer.from('1f43b67501ffffffffffffff', 'hex'),
    element('e7', Buffer.from([0])),
    ...blocks,
    ...(withCues ? [element('1c53bb6b', Buffer.alloc(4))] : []),
  ])
}

function element(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length))
  size[0] = 1
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

function samplingFrequency(rate: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(rate)
  return bytes
}

/** Both codecs have it behind their name and a version. */
function channelsOf(ogg: Buffer): number {
  const at = ogg.indexOf('OpusHead')
  return ogg.readUInt8(at >= 0 ? at + 9 : ogg.indexOf('\x01vorbis', 0, 'latin1') + 11)
}

/** The private data of the codec: the header of Opus, or the three laced ones of Vorbis. */
function headersOf(ogg: Buffer): Buffer {
  const at = ogg.indexOf('OpusHead')
  if (at >= 0) return ogg.subarray(at, at + 19)
  const starts = ['\x01vorbis', '\x03vorbis', '\x05vorbis'].map((mark) => ogg.indexOf(mark, 0, 'latin1'))
  const [head = 0, comments = 0, setup = 0] = starts
  // One page holds comments and setup; its last packet, the setup, ends where the next page begins.
  const parts = [
    ogg.subarray(head, head + 30),
    ogg.subarray(comments, setup),
    ogg.subarray(setup, ogg.indexOf('OggS', setup)),
  ]
  const lacing = parts
    .slice(0, 2)
    .flatMap(({ length }) => [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255])
  return Buffer.concat([Buffer.from([2, ...lacing]), ...parts])
}

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { readAudioTags } from '../scan/audio-tags.ts'
import { type AudioPackets, FileWindow } from './audio-packets.ts'
import { readFlacPackets } from './flac-packets.ts'
import { readMp3Packets } from './mp3-packets.ts'
import { readOggPackets } from './ogg-packets.ts'
import { writeIndex } from './track-index.ts'

const seconds = 12

/** Writes a long track and returns its bytes. */
async function makeTrack(name: string): Promise<Buffer> {
  const path = join(await makeFolder(), name)
  longTracks.find((track) => track.name === name)?.write(path, seconds)
  return readFileSync(path)
}

async function store(name: string, parts: Uint8Array[]): Promise<string> {
  const path = join(await makeFolder(), name)
  writeFileSync(path, Buffer.concat(parts))
  return path
}

/** Returns the sum of the durations, s, and the first bytes of each packet. */
function listPackets(path: string, read: (file: FileWindow) => AudioPackets) {
  const descriptor = openSync(path, 'r')
  onTestFinished(() => closeSync(descriptor))
  const file = new FileWindow(descriptor)
  const { packets, timescale } = read(file)
  const all = [...packets]
  const duration = all.reduce((sum, packet) => sum + packet.duration, 0) / timescale
  const heads = all.map(({ parts: [[offset] = [0]] }) => file.bytes(offset, 8).toString('latin1'))
  return { duration, heads }
}

/** Numbers the stream of an Ogg file anew. */
function withSerial(file: Buffer, serial: number): Buffer {
  const copy = Buffer.from(file)
  for (let at = copy.indexOf('OggS'); at >= 0; at = copy.indexOf('OggS', at + 4))
    copy.writeUInt32LE(serial, at + 14)
  return copy
}

it.each([
  ['opus.opus', 7],
  ['opus.opus', null],
  ['vorbis.ogg', 7],
])(
  '10.15 %s is read to the end of a chain, without the headers of its streams (serial %s)',
  async (name, serial) => {
    const link = await makeTrack(name)
    const one = listPackets(await store(name, [link]), readOggPackets)
    const next = serial === null ? link : withSerial(link, serial)
    const two = listPackets(await store(name, [link, next]), readOggPackets)
    expect(two.duration).toBeCloseTo(2 * one.duration, 1)
    expect(two.heads).toHaveLength(2 * one.heads.length)
    expect(two.heads.filter((head) => /^Opus(Head|Tags)|^.vorbis/.test(head))).toEqual([])
  },
)

it('10.15 a chain is read up to a stream of another format', async () => {
  const link = await makeTrack('opus.opus')
  const mono = Buffer.from(link)
  mono[mono.indexOf('OpusHead') + 9] = 1
  const one = listPackets(await store('one.opus', [link]), readOggPackets)
  expect(listPackets(await store('two.opus', [link, mono]), readOggPackets)).toEqual(one)
})

it.each([
  [
    'a tag with a cover',
    Buffer.concat([Buffer.from('ID3\x04\0\0\0\x7f\x7f\x76', 'latin1'), Buffer.alloc(2_097_142, 0x41)]),
  ],
  ['damage', Buffer.alloc(400_000, 0x41)],
])('10.15 an MP3 file with %s in its middle has an index of all its frames', async (_what, between) => {
  const half = await makeTrack('mp3-cbr.mp3')
  const one = listPackets(await store('one.mp3', [half]), readMp3Packets)
  const path = await store('two.mp3', [half, between, half])
  expect(listPackets(path, readMp3Packets).duration).toBeCloseTo(2 * one.duration, 1)
  writeIndex(path, `${path}.index`)
  expect(readFileSync(`${path}.index`).toString('latin1', 4, 12)).toBe('{"size":')
})

it.each([
  ['opus.opus', readOggPackets],
  ['vorbis.ogg', readOggPackets],
  ['flac-44.flac', readFlacPackets],
])('17.124 %s with damage in its middle has an index of what is left of it', async (name, read) => {
  const whole = await makeTrack(name)
  const one = listPackets(await store(name, [whole]), read)
  const middle = Math.floor(whole.length / 2)
  const damage = Buffer.alloc(20_000, 0x41)
  // As the encoder of a real file does, which states its longest frame.
  if (name.endsWith('flac')) whole.writeUIntBE(20_000, 4 + 4 + 7, 3)
  const inserted = await store(name, [whole.subarray(0, middle), damage, whole.subarray(middle)])
  const replaced = await store(name, [
    whole.subarray(0, middle),
    damage,
    whole.subarray(middle + damage.length),
  ])
  for (const path of [inserted, replaced]) {
    const { duration, heads } = listPackets(path, read)
    expect(duration).toBeGreaterThan(one.duration * 0.8)
    expect(duration).toBeLessThan(one.duration)
    expect(heads.at(-1)).toBe(one.heads.at(-1))
    expect(heads.filter((head) => !one.heads.includes(head))).toEqual([])
  }
})

it.each(['opus.opus', 'vorbis.ogg'])(
  '17.124 %s with damage in its middle has the duration of what is left of it',
  async (name) => {
    const whole = await makeTrack(name)
    const middle = Math.floor(whole.length / 2)
    const damage = Buffer.alloc(20_000, 0x41)
    const path = await store(name, [whole.subarray(0, middle), damage, whole.subarray(middle)])
    const { duration } = listPackets(path, readOggPackets)
    const { durationMs } = await readAudioTags(path)
    expect(Math.abs((durationMs ?? 0) / 1_000 - duration)).toBeLessThan(0.05)
  },
)

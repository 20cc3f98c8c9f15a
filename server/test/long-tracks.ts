import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { readAdtsPackets } from '../src/library/seekable/adts-packets.ts'
import { type AudioPackets, FileWindow } from '../src/library/seekable/audio-packets.ts'
import { box, fullBox, u16, u32 } from '../src/library/seekable/mp4-boxes.ts'
import { readMp3Packets } from '../src/library/seekable/mp3-packets.ts'
import { readOggPackets } from '../src/library/seekable/ogg-packets.ts'
import { flacFrame, flacHead } from './flac.ts'
import { oggPages } from './ogg.ts'
import { chunk } from './wav.ts'

/** Long audio files in each format of the library: two seconds of noise from an encoder, again and again. */

export interface LongTrack {
  /** The name of the file, which is its title. */
  name: string
  /** Writes so many seconds. */
  write(path: string, seconds: number): void
}

const seeds = join(import.meta.dirname, 'audio', 'two-seconds')

export const longTracks: LongTrack[] = [
  { name: 'opus.opus', write: (path, seconds) => writeOgg(path, 'noise.opus', seconds) },
  { name: 'vorbis.ogg', write: (path, seconds) => writeOgg(path, 'noise.ogg', seconds) },
  { name: 'mp3-cbr.mp3', write: (path, seconds) => writeMp3(path, 'cbr.mp3', seconds, false) },
  { name: 'mp3-vbr-table.mp3', write: (path, seconds) => writeMp3(path, 'vbr.mp3', seconds, true) },
  { name: 'mp3-vbr-no-table.mp3', write: (path, seconds) => writeMp3(path, 'vbr.mp3', seconds, false) },
  { name: 'aac-adts.aac', write: writeAdts },
  { name: 'aac-m4a.m4a', write: writeM4a },
  { name: 'flac-44.flac', write: (path, seconds) => writeFlac(path, seconds, 44_100, 16) },
  { name: 'flac-24-96.flac', write: (path, seconds) => writeFlac(path, seconds, 96_000, 24) },
  { name: 'wav-44.wav', write: (path, seconds) => writeWav(path, seconds, 44_100, 2) },
  { name: 'wav-24-96.wav', write: (path, seconds) => writeWav(path, seconds, 96_000, 3) },
]

interface Seed extends Omit<AudioPackets, 'packets'> {
  /** The first packets with their headers, where the format has some. */
  packets: { bytes: Buffer; duration: number }[]
  /** All bytes of the file. */
  file: Buffer
}

function readSeed(name: string, read: (file: FileWindow) => AudioPackets): Seed {
  const descriptor = openSync(join(seeds, name), 'r')
  try {
    const file = new FileWindow(descriptor)
    const { packets, ...audio } = read(file)
    const cut = [...packets].map(({ duration, parts }) => {
      const bytes = parts.map(([offset, length]) => Buffer.from(file.bytes(offset, length)))
      return { bytes: Buffer.concat(bytes), duration }
    })
    return { ...audio, packets: cut, file: Buffer.from(file.bytes(0, file.size)) }
  } finally {
    closeSync(descriptor)
  }
}

/** The seed's packets in turn, until they last so many seconds. */
function* repeat({ packets, timescale }: Seed, seconds: number): Generator<Seed['packets'][number]> {
  for (let [index, time] = [0, 0]; time < seconds * timescale; index += 1) {
    const packet = packets[index % packets.length]
    if (!packet) return
    yield packet
    time += packet.duration
  }
}

function writeMp3(path: string, name: string, seconds: number, hasTable: boolean): void {
  const seed = readSeed(name, readMp3Packets)
  const lead = hasTable ? [makeXingFrame(seed, seconds)] : []
  writeAll(path, [...lead, ...[...repeat(seed, seconds)].map(({ bytes }) => bytes)])
}

/** The seed's own first frame, with the counts and the table of the long file, which is even. */
function makeXingFrame(seed: Seed, seconds: number): Buffer {
  const length = seed.file.indexOf(seed.packets[0]?.bytes ?? '')
  const frame = Buffer.from(seed.file.subarray(0, length))
  const at = frame.indexOf('Xing')
  const frames = [...repeat(seed, seconds)]
  frame.writeUInt32BE(frames.length, at + 8)
  frame.writeUInt32BE(
    frames.reduce((sum, { bytes }) => sum + bytes.length, length),
    at + 12,
  )
  for (let percent = 0; percent < 100; percent += 1) frame[at + 16 + percent] = Math.round(percent * 2.56)
  return frame
}

function writeAdts(path: string, seconds: number): void {
  const seed = readSeed('noise.aac', readAdtsPackets)
  const headers = splitHeaders(seed)
  const frames = [...repeat(seed, seconds)].map(({ bytes }, index) => {
    return Buffer.concat([headers[index % headers.length] ?? Buffer.alloc(0), bytes])
  })
  writeAll(path, frames)
}

/** Returns the bytes before each frame in the seed's file. */
function splitHeaders({ file, packets }: Seed): Buffer[] {
  let offset = 0
  return packets.map(({ bytes }) => {
    const at = file.indexOf(bytes, offset)
    const header = file.subarray(offset, at)
    offset = at + bytes.length
    return header
  })
}

/** With the tables of all samples in the movie box, which is at the end. `gapMs`: in the middle, where it is silent. */
export function writeM4a(path: string, seconds: number, gapMs = 0): void {
  const seed = readSeed('noise.aac', readAdtsPackets)
  const frames = [...repeat(seed, seconds)]
  const { timescale, sampleEntry } = seed
  const brand = box('ftyp', Buffer.from('M4A ', 'latin1'), u32(0), Buffer.from('M4A isom', 'latin1'))
  const mdat = box('mdat', Buffer.concat(frames.map(({ bytes }) => bytes)))
  const gap = Math.round((gapMs / 1_000) * timescale)
  const time = frames.length * 1_024 + gap
  const before = Math.floor(frames.length / 2)
  const durations =
    gap > 0
      ? u32(3, before, 1_024, 1, 1_024 + gap, frames.length - before - 1, 1_024)
      : u32(1, frames.length, 1_024)
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry),
    fullBox('stts', 0, 0, durations),
    fullBox('stsc', 0, 0, u32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, 0, u32(0, frames.length), Buffer.concat(frames.map(({ bytes }) => u32(bytes.length)))),
    fullBox('stco', 0, 0, u32(1, brand.length + 8)),
  )
  const hdlr = fullBox('hdlr', 0, 0, u32(0), Buffer.from('soun', 'latin1'), Buffer.alloc(13))
  const dinf = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)))
  const minf = box('minf', fullBox('smhd', 0, 0, u16(0, 0)), dinf, stbl)
  const mdhd = fullBox('mdhd', 0, 0, u32(0, 0, timescale, time), u16(0x55c4, 0))
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const tkhd = fullBox('tkhd', 0, 3, u32(0, 0, 1, 0, time, 0, 0), u16(0, 0, 0x100, 0), matrix, u32(0, 0))
  const edts = box('edts', fullBox('elst', 0, 0, u32(1, time - 1_024, 1_024, 0x10000)))
  const trak = box('trak', tkhd, edts, box('mdia', mdhd, hdlr, minf))
  const rest = [u16(0x100, 0), u32(0, 0), matrix, Buffer.alloc(24), u32(2)]
  const mvhd = fullBox('mvhd', 0, 0, u32(0, 0, timescale, time, 0x10000), ...rest)
  writeAll(path, [brand, mdat, box('moov', mvhd, trak)])
}

/** Writes an Ogg file. The positions of Opus begin at `start`, in samples. */
export function writeOgg(path: string, name: string, seconds: number, start = 0): void {
  const seed = readSeed(name, readOggPackets)
  const headers = headerPackets(seed)
  if (name.endsWith('.opus')) return writeAll(path, oggPages(headers, [...repeat(seed, seconds)], start))
  // Vorbis blocks overlap: the loop begins and ends at a long block between long blocks.
  const isAmongLong = ({ bytes }: Seed['packets'][number]) => ((bytes[0] ?? 0) & 0b1110) === 0b1110
  const [from, until] = [seed.packets.findIndex(isAmongLong), seed.packets.findLastIndex(isAmongLong) + 1]
  const loop = { ...seed, packets: seed.packets.slice(from, until) }
  writeAll(path, oggPages(headers, [...seed.packets.slice(0, until), ...repeat(loop, seconds - 2)]))
}

/** Cuts the header packets out of the pages of the seed's file. */
function headerPackets({ file, packets }: Seed): Buffer[] {
  const first = file.indexOf(packets[0]?.bytes ?? '')
  const bodies: Buffer[] = []
  for (let offset = 0; offset < first;) {
    const lacing = file.subarray(offset + 27, offset + 27 + (file[offset + 26] ?? 0))
    let at = offset + 27 + lacing.length
    for (let index = 0; index < lacing.length && at < first;) {
      let length = 0
      do length += lacing[index] ?? 0
      while (lacing[index++] === 255)
      bodies.push(file.subarray(at, at + length))
      at += length
    }
    offset = at
  }
  return bodies
}

function writeFlac(path: string, seconds: number, sampleRate: number, bits: 16 | 24): void {
  const frames = Math.ceil((seconds * sampleRate) / 4_096)
  const descriptor = openSync(path, 'w')
  writeSync(descriptor, flacHead({ sampleRate, bits, frames }))
  for (let number = 0; number < frames; number += 1) writeSync(descriptor, flacFrame(number, bits))
  closeSync(descriptor)
}

/** Two channels of silence, which take no place on the disk. */
function writeWav(path: string, seconds: number, sampleRate: number, bytesPerSample: 2 | 3): void {
  const frameBytes = 2 * bytesPerSample
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(2, 2)
  format.writeUInt32LE(sampleRate, 4)
  format.writeUInt32LE(sampleRate * frameBytes, 8)
  format.writeUInt16LE(frameBytes, 12)
  format.writeUInt16LE(8 * bytesPerSample, 14)
  const bytes = seconds * sampleRate * frameBytes
  const head = Buffer.concat([Buffer.from('RIFF....WAVE'), chunk('fmt ', format), Buffer.from('data....')])
  head.writeUInt32LE(head.length - 8 + bytes, 4)
  head.writeUInt32LE(bytes, head.length - 4)
  const descriptor = openSync(path, 'w')
  writeSync(descriptor, head)
  ftruncateSync(descriptor, head.length + bytes)
  closeSync(descriptor)
}

const writtenAtOnce = 4 * 1024 * 1024

function writeAll(path: string, pieces: Buffer[]): void {
  const descriptor = openSync(path, 'w')
  let [batch, length]: [Buffer[], number] = [[], 0]
  for (const piece of pieces) {
    batch.push(piece)
    length += piece.length
    if (length < writtenAtOnce) continue
    writeSync(descriptor, Buffer.concat(batch))
    ;[batch, length] = [[], 0]
  }
  writeSync(descriptor, Buffer.concat(batch))
  closeSync(descriptor)
}

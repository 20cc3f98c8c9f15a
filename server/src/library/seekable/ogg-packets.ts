import { type AudioPacket, type AudioPackets, type FileWindow, UnindexableError } from './audio-packets.ts'
import { audioSampleEntry, box, elementaryStream, u16, u32, u8 } from './mp4-boxes.ts'
import { type VorbisBlocks, parseVorbisBlocks, vorbisDurations } from './vorbis-blocks.ts'

/** A packet with its first bytes, which state its duration. */
interface OggPacket {
  parts: [offset: number, length: number][]
  head: Buffer
  /** The first header of a stream that follows another one in the file. */
  beginsLink: boolean
}

const headBytes = 8
const pageHeadBytes = 27
const opusRate = 48_000

/**
 * Finds the packets of the first stream of an Ogg file (RFC 3533) with Opus or Vorbis, and of the streams that are chained
 * to it (section 4) as long as their format is the same.
 */
export function readOggPackets(file: FileWindow): AudioPackets {
  const packets = readPackets(file)
  const first = packets.next()
  if (first.done) throw new UnindexableError('There is no Ogg packet')
  const head = bytesOf(file, first.value)
  if (head.toString('latin1', 0, 8) === 'OpusHead') return describeOpus(file, head, packets)
  if (head.toString('latin1', 0, 7) === '\x01vorbis') return describeVorbis(file, head, packets)
  throw new UnindexableError('The stream is neither Opus nor Vorbis')
}

/** RFC 7845, 5.1, and the encapsulation of Opus in ISO files, 4.3.2: the same fields, in the other byte order. */
function describeOpus(file: FileWindow, head: Buffer, packets: Generator<OggPacket>): AudioPackets {
  packets.next() // The comments
  const channels = head[9] ?? 2
  const preSkip = head.readUInt16LE(10)
  const dOps = box(
    'dOps',
    u8(0, channels),
    u16(preSkip),
    u32(head.readUInt32LE(12)),
    u16(head.readUInt16LE(16)),
    head.subarray(18),
  )
  return {
    sampleEntry: audioSampleEntry('Opus', { channels, bitsPerSample: 16, sampleRate: opusRate }, dOps),
    timescale: opusRate,
    skipped: preSkip,
    packets: withDurations(
      joinLinks(packets, 2, ([next]) => bytesOf(file, next).readUInt8(9) === channels),
      opusDuration,
    ),
  }
}

function describeVorbis(file: FileWindow, head: Buffer, packets: Generator<OggPacket>): AudioPackets {
  const [comments, setup] = [packets.next(), packets.next()]
  if (comments.done || setup.done) throw new UnindexableError('The Vorbis headers are missing')
  const setupBytes = bytesOf(file, setup.value)
  const blocks: VorbisBlocks | null = parseVorbisBlocks(head, setupBytes)
  if (!blocks) throw new UnindexableError('The Vorbis headers cannot be read')
  const format = { channels: head[11] ?? 2, bitsPerSample: 16, sampleRate: head.readUInt32LE(12) }
  // Players need no comments: these are empty, without a maker and without entries.
  const noComments = Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), Buffer.alloc(8), u8(1)])
  const laced = Buffer.concat([u8(2, head.length, noComments.length), head, noComments, setupBytes])
  return {
    sampleEntry: audioSampleEntry('mp4a', format, elementaryStream(0xdd, laced)),
    timescale: format.sampleRate,
    skipped: 0,
    packets: withDurations(
      joinLinks(packets, 3, ([next, , nextSetup]) => {
        return bytesOf(file, next).equals(head) && !!nextSetup && bytesOf(file, nextSetup).equals(setupBytes)
      }),
      vorbisDurations(blocks),
    ),
  }
}

/** Leaves out the headers of the streams that are chained to the first one. Ends before one of another format. */
function* joinLinks(
  packets: Generator<OggPacket>,
  headerCount: number,
  isSame: (headers: [OggPacket, ...OggPacket[]]) => boolean,
): Generator<OggPacket> {
  for (let next = packets.next(); !next.done; next = packets.next()) {
    if (!next.value.beginsLink) {
      yield next.value
      continue
    }
    const headers: [OggPacket, ...OggPacket[]] = [next.value]
    while (headers.length < headerCount) {
      const header = packets.next()
      if (header.done) return
      headers.push(header.value)
    }
    if (!isSame(headers)) return
  }
}

function* withDurations(
  packets: Generator<OggPacket>,
  durationOf: (head: Buffer) => number,
): Generator<AudioPacket> {
  for (const { parts, head } of packets) yield { parts, duration: durationOf(head) }
}

/** A packet's duration by its first bytes (RFC 6716, 3.1). */
function opusDuration(head: Buffer): number {
  const [toc = 0, frameCount = 0] = head
  const config = toc >> 3
  const frameMs =
    config < 12
      ? [10, 20, 40, 60][config & 3]
      : config < 16
        ? [10, 20][config & 1]
        : [2.5, 5, 10, 20][config & 3]
  const frames = [1, 2, 2, frameCount & 0x3f][toc & 3] ?? 1
  return ((frameMs ?? 20) * frames * opusRate) / 1_000
}

function bytesOf(file: FileWindow, { parts }: OggPacket): Buffer {
  return Buffer.concat(parts.map(([offset, length]) => Buffer.from(file.bytes(offset, length))))
}

/** Packets end at a segment shorter than 255 bytes and may cross pages. */
function* readPackets(file: FileWindow): Generator<OggPacket> {
  let offset = 0
  let serial: number | null = null
  let parts: [number, number][] = []
  let [beginsLink, hasAudio] = [false, false]
  while (offset < file.size) {
    const page = readPage(file, offset)
    if (!page) return
    // Streams beside the first one begin before its audio, those chained to it after it.
    beginsLink = page.isFirst && hasAudio
    if (beginsLink) serial = page.serial
    offset = page.end
    serial ??= page.serial
    if (page.serial !== serial) continue
    hasAudio ||= page.hasPosition
    if (!page.isContinued) parts = []
    for (const segment of page.segments) {
      parts.push([segment.offset, segment.length])
      if (!segment.endsPacket) continue
      const [first] = parts
      const head = first ? Buffer.from(file.bytes(first[0], Math.min(headBytes, first[1]))) : Buffer.alloc(0)
      if (parts.some(([, length]) => length > 0)) yield { parts, head, beginsLink }
      beginsLink = false
      parts = []
    }
  }
}

interface Page {
  serial: number
  /** Of its stream. */
  isFirst: boolean
  /** Whether its granule position is above 0, which that of headers is not. */
  hasPosition: boolean
  isContinued: boolean
  /** Whole packets, and the rest of one at the end. */
  segments: { offset: number; length: number; endsPacket: boolean }[]
  end: number
}

function readPage(file: FileWindow, offset: number): Page | null {
  const head = file.bytes(offset, pageHeadBytes + 255)
  if (head.length < pageHeadBytes || head.toString('latin1', 0, 4) !== 'OggS') return null
  const segmentCount = head[26] ?? 0
  const lacing = [...head.subarray(pageHeadBytes, pageHeadBytes + segmentCount)]
  const segments: Page['segments'] = []
  const start = offset + pageHeadBytes + segmentCount
  let [at, length] = [start, 0]
  for (const [index, value] of lacing.entries()) {
    length += value
    const endsPacket = value < 255
    if (!endsPacket && index < lacing.length - 1) continue
    segments.push({ offset: at, length, endsPacket })
    at += length
    length = 0
  }
  if (at > file.size) return null
  const flags = head[5] ?? 0
  return {
    serial: head.readUInt32LE(14),
    isFirst: (flags & 2) !== 0,
    hasPosition: head.readBigInt64LE(6) > 0n,
    isContinued: (flags & 1) === 1,
    segments,
    end: at,
  }
}

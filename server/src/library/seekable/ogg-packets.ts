import { type AudioPacket, type AudioPackets, type FileWindow, UnindexableError } from './audio-packets.ts'
import { describeOpusHead, describeVorbisHeads } from './xiph-codecs.ts'

/** A packet with its first bytes, which state its duration. */
interface OggPacket {
  parts: [offset: number, length: number][]
  head: Buffer
  /** The first header of a stream that follows another one in the file. */
  beginsLink: boolean
  /** Damage lies before it. */
  followsGap: boolean
}

const headBytes = 8
const pageHeadBytes = 27
/** Damage up to this long is skipped. */
const longestGap = 1024 * 1024

/**
 * Finds the packets of the first stream of an Ogg file (RFC 3533) with Opus or Vorbis, and of the streams that are chained
 * to it (section 4) as long as their format is the same.
 */
export function readOggPackets(file: FileWindow): AudioPackets {
  const end: StreamEnd = { page: 0, pageTime: 0, length: null }
  const packets = cutPackets(file, noteEnd(readPages(file), end))
  const first = packets.next()
  if (first.done) throw new UnindexableError('There is no Ogg packet')
  const head = bytesOf(file, first.value)
  if (head.toString('latin1', 0, 8) === 'OpusHead')
    return { ...describeOpus(file, head, packets, end), endPadding: endPaddingOf(end) }
  if (head.toString('latin1', 0, 7) === '\x01vorbis')
    return { ...describeVorbis(file, head, packets, end), endPadding: endPaddingOf(end) }
  throw new UnindexableError('The stream is neither Opus nor Vorbis')
}

/** The last page of a stream that has been read. */
interface StreamEnd {
  /** Counts the pages on which packets end. */
  page: number
  /** The duration of the packets that end on it. */
  pageTime: number
  /** How long it says it is, in samples; null unless it ends a whole stream. */
  length: number | null
}

/** The last page ends in mid-packet (RFC 7845, 4.4; Vorbis I, A.2). */
const endPaddingOf = (end: StreamEnd) => () => (end.length === null ? 0 : end.pageTime - end.length)

function describeOpus(
  file: FileWindow,
  head: Buffer,
  packets: Generator<OggPacket>,
  end: StreamEnd,
): AudioPackets {
  packets.next() // The comments
  const channels = head[9]
  const isSame = ([next]: [OggPacket, ...OggPacket[]]) => bytesOf(file, next).readUInt8(9) === channels
  const { durationOf, ...audio } = describeOpusHead(head)
  return { ...audio, packets: withDurations(joinLinks(packets, 2, isSame), durationOf, end) }
}

function describeVorbis(
  file: FileWindow,
  head: Buffer,
  packets: Generator<OggPacket>,
  end: StreamEnd,
): AudioPackets {
  const [comments, setup] = [packets.next(), packets.next()]
  if (comments.done || setup.done) throw new UnindexableError('The Vorbis headers are missing')
  const setupBytes = bytesOf(file, setup.value)
  const isSame = ([next, , nextSetup]: [OggPacket, ...OggPacket[]]) =>
    bytesOf(file, next).equals(head) && !!nextSetup && bytesOf(file, nextSetup).equals(setupBytes)
  const { durationOf, ...audio } = describeVorbisHeads(head, setupBytes)
  return { ...audio, packets: withDurations(joinLinks(packets, 3, isSame), durationOf, end) }
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
  end: StreamEnd,
): Generator<AudioPacket> {
  let page = end.page
  for (const { parts, head, followsGap } of packets) {
    const duration = durationOf(head)
    end.pageTime = end.page === page ? end.pageTime + duration : duration
    page = end.page
    yield { parts, duration, followsGap }
  }
}

function bytesOf(file: FileWindow, { parts }: OggPacket): Buffer {
  return Buffer.concat(parts.map(([offset, length]) => Buffer.from(file.bytes(offset, length))))
}

/** A page of the stream that is read, or damage that was skipped. */
type StreamPart = (Page & { beginsLink: boolean }) | 'gap'

/** Finds the pages of the first stream and of those chained to it, and goes on behind damage. */
function* readPages(file: FileWindow): Generator<StreamPart> {
  let offset = 0
  let serial: number | null = null
  let [hasAudio, isBesideGap] = [false, false]
  while (offset < file.size) {
    const page = readPage(file, offset)
    if (!page || isDamaged(file, offset, page, isBesideGap)) {
      const next = findPage(file, offset + 1, serial)
      if (next === null) return
      offset = next
      isBesideGap = true
      yield 'gap'
      continue
    }
    offset = page.end
    // Streams beside the first one begin before its audio, those chained to it after it.
    const beginsLink = page.isFirst && hasAudio
    if (beginsLink || serial === null) serial = page.serial
    if (page.serial !== serial) continue
    hasAudio ||= page.position > 0
    // What begins a packet beside damage may go on in it.
    isBesideGap &&= !page.segments.some(({ endsPacket }) => endsPacket)
    yield { ...page, beginsLink }
  }
}

/** Passes the pages on, and notes each in `end`, as long as it is the last one. */
function* noteEnd(pages: Iterable<StreamPart>, end: StreamEnd): Generator<StreamPart> {
  let [isWhole, position] = [true, 0]
  for (const page of pages) {
    if (page === 'gap' || page.beginsLink) isWhole = false
    if (page === 'gap') end.length = null
    else if (page.position > 0) {
      end.page += 1
      end.length = isWhole && page.isLast ? page.position - position : null
      position = page.position
    }
    yield page
  }
}

/** Packets end at a segment shorter than 255 bytes and may cross pages. What damage leaves of a packet is left out. */
function* cutPackets(file: FileWindow, pages: Iterable<StreamPart>): Generator<OggPacket> {
  let parts: [number, number][] = []
  let followsGap = false
  for (const page of pages) {
    if (page === 'gap') {
      parts = []
      followsGap = true
      continue
    }
    let { beginsLink } = page
    let isHeadless = page.isContinued && parts.length === 0
    if (!page.isContinued) parts = []
    for (const segment of page.segments) {
      if (isHeadless) {
        isHeadless = !segment.endsPacket
        continue
      }
      parts.push([segment.offset, segment.length])
      if (!segment.endsPacket) continue
      const [first] = parts
      const head = first ? Buffer.from(file.bytes(first[0], Math.min(headBytes, first[1]))) : Buffer.alloc(0)
      if (parts.some(([, length]) => length > 0)) yield { parts, head, beginsLink, followsGap }
      beginsLink = followsGap = false
      parts = []
    }
  }
}

interface Page {
  serial: number
  /** Of its stream. */
  isFirst: boolean
  isLast: boolean
  /** Its granule position: the samples up to its end; 0 of headers, -1 where no packet ends. */
  position: number
  isContinued: boolean
  /** Whole packets, and the rest of one at the end. */
  segments: { offset: number; length: number; endsPacket: boolean }[]
  end: number
}

function readPage(file: FileWindow, offset: number): Page | null {
  const head = file.bytes(offset, pageHeadBytes + 255)
  if (head.length < pageHeadBytes || !hasCapture(head)) return null
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
    isLast: (flags & 4) !== 0,
    position: Number(head.readBigInt64LE(6)),
    isContinued: (flags & 1) === 1,
    segments,
    end: at,
  }
}

/** Whether a page beside damage, which may reach into it, has another checksum than it states. */
function isDamaged(file: FileWindow, offset: number, { end }: Page, isBesideGap: boolean): boolean {
  if (!isBesideGap && (end === file.size || hasCapture(file.bytes(end, 4)))) return false
  const bytes = Buffer.from(file.bytes(offset, end - offset))
  const stated = bytes.readUInt32LE(checksumAt)
  bytes.writeUInt32LE(0, checksumAt)
  return checksum(bytes) !== stated
}

const hasCapture = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'OggS'

/** Finds the next page of a stream; null where there is none near. */
function findPage(file: FileWindow, from: number, serial: number | null): number | null {
  const bytes = Buffer.from(file.bytes(from, longestGap))
  for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 1)) {
    const page = readPage(file, from + at)
    if (page && (page.serial === serial || page.isFirst)) return from + at
  }
  return null
}

const checksumAt = 22
const remainders = Uint32Array.from({ length: 256 }, (_, value) => {
  let remainder = value << 24
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder << 1) ^ (remainder < 0 ? 0x04c11db7 : 0)
  return remainder >>> 0
})

/** Of a page whose own checksum is 0 (RFC 3533, 6). */
function checksum(bytes: Uint8Array): number {
  let remainder = 0
  for (const byte of bytes)
    remainder = ((remainder << 8) ^ (remainders[(remainder >>> 24) ^ byte] ?? 0)) >>> 0
  return remainder
}

import {
  type AudioPacket,
  type AudioPackets,
  type FileWindow,
  skipId3v2,
  UnindexableError,
} from './audio-packets.ts'
import { audioSampleEntry, fullBox, u32 } from './mp4-boxes.ts'

/** A frame's header (RFC 9639, 9.1). */
export interface FlacFrameHeader {
  /** Where the stream's blocks vary, the number of its first sample; otherwise its own number. */
  number: number
  hasVaryingBlocks: boolean
  samples: number
}

const streamInfoLength = 34
/** Of a frame. */
export const longestFlacHeader = 16
const scanBytes = 64 * 1024
/** Longer than any frame: 65,535 samples of 8 channels and 32 bits. */
const longestFrame = 4 * 1024 * 1024

/** Finds the frames of a FLAC file. They carry no length: each ends where the next number begins. */
export function readFlacPackets(file: FileWindow): AudioPackets {
  const start = skipId3v2(file)
  if (file.bytes(start, 4).toString('latin1') !== 'fLaC') throw new UnindexableError('This is no FLAC file')
  const streamInfo = Buffer.from(file.bytes(start + 8, streamInfoLength))
  if (streamInfo.length < streamInfoLength) throw new UnindexableError('The file ends in its header')
  const format = streamInfo.readUInt32BE(10)
  const sampleRate = format >>> 12
  const channels = ((format >>> 9) & 7) + 1
  const bitsPerSample = ((streamInfo.readUInt16BE(12) >>> 4) & 31) + 1
  const onlyStreamInfo = u32(0x80000000 + streamInfoLength)
  const dfla = fullBox('dfLa', 0, 0, onlyStreamInfo, streamInfo)
  return {
    sampleEntry: audioSampleEntry('fLaC', { channels, bitsPerSample, sampleRate }, dfla),
    timescale: sampleRate,
    encoderDelay: 0,
    packets: readFrames(file, findAudio(file, start), {
      shortest: streamInfo.readUIntBE(4, 3),
      longest: streamInfo.readUIntBE(7, 3),
    }),
  }
}

/** Returns the offset after the metadata blocks. */
function findAudio(file: FileWindow, start: number): number {
  let offset = start + 4
  while (offset < file.size) {
    const head = file.bytes(offset, 4)
    if (head.length < 4) break
    const isLast = (head[0] ?? 0) >= 0x80
    offset += 4 + head.readUIntBE(1, 3)
    if (isLast) return offset
  }
  throw new UnindexableError('The file ends in its header')
}

/** As the stream states them, in bytes; 0 if unknown. */
interface FrameLengths {
  shortest: number
  longest: number
}

/** A frame that damage reaches into is left out: its end is not where the next one begins, or further than any frame's. */
function* readFrames(
  file: FileWindow,
  start: number,
  { shortest, longest }: FrameLengths,
): Generator<AudioPacket> {
  let offset = start
  let header = parseFlacHeader(file.bytes(start, longestFlacHeader))
  if (!header) throw new UnindexableError('There is no FLAC frame')
  let followsGap = false
  while (header) {
    const from = offset + Math.max(shortest, 1)
    const next: FoundFrame | null = findFrameAfter(file, from, header) ?? findAfterDamage(file, from, header)
    const end = next?.offset ?? file.size
    if (end - offset > longestFrame) throw new UnindexableError('The frames are not in order')
    const isTooLong = longest > 0 && end - offset > longest
    const isDamaged = next !== null && (isTooLong || next.header.number !== numberAfter(header))
    if (!isDamaged) yield { duration: header.samples, parts: [[offset, end - offset]], followsGap }
    followsGap = isDamaged
    offset = end
    header = next?.header ?? null
  }
}

interface FoundFrame {
  offset: number
  header: FlacFrameHeader
}

const numberAfter = ({ hasVaryingBlocks, number, samples }: FlacFrameHeader): number =>
  number + (hasVaryingBlocks ? samples : 1)

function findFrameAfter(file: FileWindow, from: number, previous: FlacFrameHeader): FoundFrame | null {
  const wanted = numberAfter(previous)
  for (const found of listHeaders(file, from, previous)) if (found.header.number === wanted) return found
  return null
}

/** Finds the next frame of a later number that the one after it follows. */
function findAfterDamage(file: FileWindow, from: number, previous: FlacFrameHeader): FoundFrame | null {
  const wanted = numberAfter(previous)
  for (const found of listHeaders(file, from, previous)) {
    const ahead = found.header.number - wanted
    const isLater = ahead > 0 && ahead < longestFrame
    if (isLater && findFrameAfter(file, found.offset + 1, found.header)) return found
  }
  return null
}

/** Lists what looks like the header of a frame of the same stream, as far as a frame may reach. */
function* listHeaders(
  file: FileWindow,
  from: number,
  { hasVaryingBlocks }: FlacFrameHeader,
): Generator<FoundFrame> {
  const until = Math.min(file.size, from + longestFrame)
  for (let start = from; start < until; start += scanBytes) {
    let bytes = file.bytes(start, scanBytes + longestFlacHeader)
    for (let at = bytes.indexOf(0xff); at >= 0 && at < scanBytes; at = bytes.indexOf(0xff, at + 1)) {
      if (((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) continue
      const header = parseFlacHeader(bytes.subarray(at, at + longestFlacHeader))
      if (header?.hasVaryingBlocks !== hasVaryingBlocks) continue
      yield { offset: start + at, header }
      // The file may have been read elsewhere meanwhile.
      bytes = file.bytes(start, scanBytes + longestFlacHeader)
    }
  }
}

/** Reads the header of a frame; null where the bytes are none, by its checksum. */
export function parseFlacHeader(bytes: Buffer): FlacFrameHeader | null {
  const [, sync = 0, sizeAndRate = 0, channelsAndBits = 0, first = 0] = bytes
  if (bytes[0] !== 0xff || (sync & 0xfe) !== 0xf8 || (channelsAndBits & 1) !== 0) return null
  const sizeCode = sizeAndRate >> 4
  const rateCode = sizeAndRate & 15
  if (sizeCode === 0 || rateCode === 15) return null

  // The number is coded as in UTF-8, with up to seven bytes.
  const ones = Math.clz32(~(first << 24))
  const extra = ones === 0 ? 0 : ones - 1
  if (ones === 1 || ones > 7) return null
  let number = ones === 0 ? first : first & (0x7f >> ones)
  for (const byte of bytes.subarray(5, 5 + extra)) number = number * 64 + (byte & 0x3f)

  let at = 5 + extra
  const sizeLength = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateLength = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  if (at + sizeLength + rateLength >= bytes.length) return null
  const samples = sizeLength > 0 ? bytes.readUIntBE(at, sizeLength) + 1 : samplesOf(sizeCode)
  at += sizeLength + rateLength
  if (checksum(bytes.subarray(0, at)) !== bytes[at]) return null
  return { number, hasVaryingBlocks: (sync & 1) === 1, samples }
}

function samplesOf(sizeCode: number): number {
  if (sizeCode === 1) return 192
  return sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8)
}

const crc8Table = Uint8Array.from({ length: 256 }, (_, value) => {
  let remainder = value
  for (let bit = 0; bit < 8; bit += 1) remainder = ((remainder << 1) ^ (remainder & 0x80 ? 0x07 : 0)) & 0xff
  return remainder
})

function checksum(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = crc8Table[crc ^ byte] ?? 0
  return crc
}

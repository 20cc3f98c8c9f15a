import { aacSampleRates } from '@earshot/core/audio/aac-rates'
import {
  type AudioPacket,
  type AudioPackets,
  type FileWindow,
  skipId3v2,
  UnindexableError,
} from './audio-packets.ts'
import { audioSampleEntry, elementaryStream, u16 } from './mp4-boxes.ts'

const samplesPerFrame = 1_024
/** Damage up to this long is skipped. */
const longestGap = 64 * 1024

/** A frame's header (ISO/IEC 13818-7, 6.2). */
interface FrameHeader {
  objectType: number
  rateIndex: number
  channels: number
  headerLength: number
  length: number
}

interface AdtsFrames extends Pick<AudioPackets, 'timescale' | 'packets'> {
  first: FrameHeader
}

/** Finds the frames of raw AAC in ADTS. Their headers are left out: in MP4 the sample entry replaces them. */
export function readAdtsPackets(file: FileWindow): AudioPackets {
  const { first, timescale, packets } = readAdtsFrames(file)
  const { objectType, rateIndex, channels } = first
  if (channels === 0) throw new UnindexableError('The channels are described in the stream')
  const configuration = u16((objectType << 11) | (rateIndex << 7) | (channels << 3))
  return {
    sampleEntry: audioSampleEntry(
      'mp4a',
      { channels: channels === 7 ? 8 : channels, bitsPerSample: 16, sampleRate: timescale },
      elementaryStream(0x40, configuration),
    ),
    timescale,
    encoderDelay: 0,
    packets,
  }
}

/** Finds the frames, also of streams that describe their channels themselves. @throws UnindexableError without any */
export function readAdtsFrames(file: FileWindow): AdtsFrames {
  const offset = findAdtsFrame(file, skipId3v2(file))
  const first = offset === null ? null : readHeader(file, offset)
  const timescale = first ? aacSampleRates[first.rateIndex] : undefined
  if (offset === null || !first || timescale === undefined) {
    throw new UnindexableError('There is no ADTS frame')
  }
  return { first, timescale, packets: readFrames(file, offset) }
}

function* readFrames(file: FileWindow, start: number): Generator<AudioPacket> {
  let offset: number | null = start
  while (offset !== null) {
    const header = readHeader(file, offset)
    if (!header) {
      offset = findAdtsFrame(file, offset)
      continue
    }
    if (offset + header.length > file.size) return
    const { headerLength, length } = header
    yield { duration: samplesPerFrame, parts: [[offset + headerLength, length - headerLength]] }
    offset += length
  }
}

/** Finds the next frame that another one follows; null where there is none near. */
function findAdtsFrame(file: FileWindow, from: number): number | null {
  const bytes = Buffer.from(file.bytes(from, longestGap))
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = readHeader(file, from + at)
    const end = from + at + (header?.length ?? 0)
    if (header && (end === file.size || readHeader(file, end))) return from + at
  }
  return null
}

function readHeader(file: FileWindow, offset: number): FrameHeader | null {
  const bytes = file.bytes(offset, 7)
  if (bytes.length < 7) return null
  const word = bytes.readUInt32BE(0)
  const isAdts = word >>> 20 === 0xfff && ((word >>> 17) & 3) === 0
  const headerLength = ((word >>> 16) & 1) === 1 ? 7 : 9
  const length = (bytes.readUIntBE(3, 3) >> 5) & 0x1fff
  const blocks = ((bytes[6] ?? 0) & 3) + 1
  if (!isAdts || length <= headerLength || blocks > 1) return null
  return {
    objectType: ((word >>> 14) & 3) + 1,
    rateIndex: (word >>> 10) & 15,
    channels: (word >>> 6) & 7,
    headerLength,
    length,
  }
}

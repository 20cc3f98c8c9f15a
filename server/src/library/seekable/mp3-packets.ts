import {
  type AudioPacket,
  type AudioPackets,
  type FileWindow,
  id3v2Length,
  skipId3v2,
  UnindexableError,
} from './audio-packets.ts'
import { audioSampleEntry, elementaryStream } from './mp4-boxes.ts'

/** A frame's header (ISO/IEC 11172-3, 2.4.1.3). */
export interface Mp3Header {
  /** The same in all frames of a stream: version, layer and sample rate. */
  kind: number
  isMpeg1: boolean
  /** The bit rate, kbit/s. */
  kbits: number
  sampleRate: number
  channels: number
  /** Samples a channel. */
  samples: number
  length: number
}

const mpeg1Kbits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const mpeg2Kbits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const mpeg1Rates = [44_100, 48_000, 32_000]
/** Damage up to this long is skipped, and tags of any length. */
const longestGap = 1024 * 1024
/** The delay of every MP3 decoder, in samples, beside the encoder's. */
const decoderDelay = 529

/** Finds the frames of an MP3 file. */
export function readMp3Packets(file: FileWindow): AudioPackets {
  const offset = findMp3Frame(file, skipId3v2(file))
  const first = offset === null ? null : readMp3Header(file, offset)
  if (offset === null || !first) throw new UnindexableError('There is no MP3 frame')
  const info = readInfoFrame(file, offset, first)
  const { channels, sampleRate, isMpeg1 } = first
  const objectType = isMpeg1 ? 0x6b : 0x69
  return {
    sampleEntry: audioSampleEntry(
      'mp4a',
      { channels, bitsPerSample: 16, sampleRate },
      elementaryStream(objectType, Buffer.alloc(0)),
    ),
    timescale: sampleRate,
    encoderDelay: info?.encoderDelay ?? 0,
    // A file that is cut off has no such end.
    endPadding: (totalTime) =>
      totalTime === (info?.frames ?? 0) * first.samples ? (info?.endPadding ?? 0) : 0,
    packets: readFrames(file, info ? offset + first.length : offset, first.kind),
  }
}

function* readFrames(file: FileWindow, start: number, kind: number): Generator<AudioPacket> {
  let offset: number | null = start
  let followsGap = false
  while (offset !== null) {
    const header = readMp3Header(file, offset)
    if (header?.kind !== kind) {
      // Files that were joined have the tags of the later ones in their middle.
      offset = findMp3Frame(file, offset + id3v2Length(file, offset), { kind })
      followsGap = true
      continue
    }
    if (offset + header.length > file.size) return
    yield { duration: header.samples, parts: [[offset, header.length]], followsGap }
    followsGap = false
    offset += header.length
  }
}

/** Finds the next frame that another one follows, of a kind, within some bytes; null where there is none. */
export function findMp3Frame(
  file: FileWindow,
  from: number,
  { kind = null, within = longestGap }: { kind?: number | null; within?: number } = {},
): number | null {
  const bytes = Buffer.from(file.bytes(from, within))
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = readMp3Header(file, from + at)
    if (!header || header.kind !== (kind ?? header.kind)) continue
    const end = from + at + header.length
    if (end === file.size || readMp3Header(file, end)?.kind === header.kind) return from + at
  }
  return null
}

/** Reads the header of a frame at an offset; null where there is none. */
export function readMp3Header(file: FileWindow, offset: number): Mp3Header | null {
  const bytes = file.bytes(offset, 4)
  if (bytes.length < 4) return null
  const word = bytes.readUInt32BE(0)
  const version = (word >>> 19) & 3
  const isLayer3 = ((word >>> 17) & 3) === 1
  if (word >>> 21 !== 0x7ff || version === 1 || !isLayer3) return null
  const isMpeg1 = version === 3
  const kbits = (isMpeg1 ? mpeg1Kbits : mpeg2Kbits)[(word >>> 12) & 15]
  const mpeg1Rate = mpeg1Rates[(word >>> 10) & 3]
  // Free-format frames have no bit rate.
  if (!kbits || mpeg1Rate === undefined) return null
  const sampleRate = mpeg1Rate / { 3: 1, 2: 2, 0: 4 }[version as 0 | 2 | 3]
  const padding = (word >>> 9) & 1
  return {
    kind: ((word >>> 15) & 0x3c) | ((word >>> 10) & 3),
    isMpeg1,
    kbits,
    sampleRate,
    channels: ((word >>> 6) & 3) === 3 ? 1 : 2,
    samples: isMpeg1 ? 1_152 : 576,
    length: Math.floor(((isMpeg1 ? 144_000 : 72_000) * kbits) / sampleRate) + padding,
  }
}

/** The frame that an encoder puts first instead of audio. */
interface InfoFrame {
  /** How many frames follow; 0 if it does not tell. */
  frames: number
  /** Samples that players drop, before and after the sound. */
  encoderDelay: number
  endPadding: number
}

const nothingStated: InfoFrame = { frames: 0, encoderDelay: 0, endPadding: 0 }
/** Those which state in it what they add; others use the place for something else. */
const delayEncoders = new Set(['LAME', 'Lavf', 'Lavc', 'GOGO'])

/** Reads the frame that an encoder puts first instead of audio: Xing's or, with a constant bit rate, Info. */
function readInfoFrame(file: FileWindow, offset: number, header: Mp3Header): InfoFrame | null {
  const isMono = header.channels === 1
  const at = 4 + (header.isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const frame = file.bytes(offset, header.length)
  const name = frame.toString('latin1', at, at + 4)
  if (frame.toString('latin1', 36, 40) === 'VBRI') return nothingStated
  if (name !== 'Xing' && name !== 'Info') return null
  const flags = frame.readUInt32BE(at + 4)
  const lengths = [4, 4, 100, 4].filter((_, bit) => (flags & (1 << bit)) !== 0)
  const lame = lengths.reduce((sum, length) => sum + length, at + 8)
  if (lame + 24 > frame.length || !delayEncoders.has(frame.toString('latin1', lame, lame + 4)))
    return nothingStated
  // The decoder's delay moves the end of the sound into the padding.
  const [delay, padding] = [frame.readUIntBE(lame + 21, 3) >> 12, frame.readUIntBE(lame + 21, 3) & 0xfff]
  const frames = (flags & 1) === 0 ? 0 : frame.readUInt32BE(at + 8)
  return { frames, encoderDelay: delay + decoderDelay, endPadding: Math.max(0, padding - decoderDelay) }
}

import { FileWindow, playedTime, skipId3v2 } from '../../seekable/audio-packets.ts'
import { findMp3Frame, type Mp3Header, readMp3Header, readMp3Packets } from '../../seekable/mp3-packets.ts'
import { UnreadableAudioError } from '../unreadable-audio.ts'

const searchedBytes = 4 * 1024
const hasFrameCount = 1
const hasByteCount = 2
/** A file may have lost a tag at its end that was counted. */
const toleratedBytes = 1024
/** Of a mean bit rate: tags count as bytes, and padding does not. */
const rounding = 0.05
/** Behind the sound. */
const mostTagBytes = 512 * 1024
/** The start, middle and end of a file, which its fingerprint reads too. */
const sampledBytes = 64 * 1024

/**
 * Finds the duration of an MP3 file's sound, in ms: by its encoder's count of frames, or, where it counted none or more
 * than there are, by the bit rate or the frames. Reads a file whole where its bit rate varies or it is cut off.
 * @throws UnindexableError without a frame, UnreadableAudioError for free format
 */
export function readMp3Duration(file: FileWindow, descriptor: number): number | null {
  const start = skipId3v2(file)
  refuseFreeFormat(file.bytes(start, 4))
  const count = findCount(file, start)
  if (typeof count === 'number') return soundMs(file, count)
  return (count === 'none' ? measureConstantRate(file, start) : null) ?? countFrames(descriptor)
}

/** Returns the duration of so many frames without what the encoder added, ms. */
function soundMs(file: FileWindow, frameCount: number): number | null {
  const { packets, ...audio } = readMp3Packets(file)
  const [first] = packets
  if (!first) return null
  return (playedTime(audio, frameCount * first.duration).duration * 1_000) / audio.timescale
}

/** Returns how many frames the header of an encoder (Xing or Info) counts, if it counts about as many bytes as there are. */
function findCount(file: FileWindow, start: number): number | 'none' | 'exceeds' {
  const head = file.bytes(start, searchedBytes)
  const at = Math.max(head.indexOf('Xing', 0, 'latin1'), head.indexOf('Info', 0, 'latin1'))
  if (at < 0 || at + 16 > head.length) return 'none'
  const flags = head.readUInt32BE(at + 4)
  if ((flags & hasFrameCount) === 0 || (flags & hasByteCount) === 0) return 'none'
  const [frameCount, byteCount] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)]
  const behind = file.size - start - byteCount
  // Of files that were joined, the first one's counts only itself.
  if (behind > mostTagBytes && behind > byteCount / 10) return 'none'
  if (!isPossible(readMp3Header(file, start), frameCount, byteCount)) return 'none'
  return behind < -toleratedBytes ? 'exceeds' : frameCount
}

/** Whether so many frames can have so many bytes: no bit rate is higher or lower than those of its version. */
function isPossible(first: Mp3Header | null, frameCount: number, byteCount: number): boolean {
  if (!first) return true
  const kbits = (byteCount * 8 * first.sampleRate) / (frameCount * first.samples * 1_000)
  const [least, most] = first.isMpeg1 ? [32, 320] : [8, 160]
  return kbits > least * (1 - rounding) && kbits < most * (1 + rounding)
}

/** Returns the duration by size and bit rate, ms; null unless the start, middle and end have one bit rate. */
function measureConstantRate(file: FileWindow, start: number): number | null {
  const offset = findMp3Frame(file, start)
  const first = offset === null ? null : readMp3Header(file, offset)
  if (offset === null || !first) return null
  const starts = [offset, Math.floor(file.size / 2), file.size - sampledBytes]
  const ends = starts.map((from) => findRunEnd(file, Math.max(offset, from), first))
  const end = ends.at(-1) ?? null
  return end === null || ends.includes(null) ? null : ((end - offset) * 8) / first.kbits
}

/** Returns where the frames of a sample end; null where it has none, or another bit rate. */
function findRunEnd(file: FileWindow, from: number, { kind, kbits }: Mp3Header): number | null {
  let end = findMp3Frame(file, from, { kind, within: sampledBytes })
  const until = Math.min(file.size, from + sampledBytes)
  for (let header = end === null ? null : readMp3Header(file, end); header?.kind === kind;) {
    if (header.kbits !== kbits) return null
    if (end === null || end + header.length > until) break
    end += header.length
    header = readMp3Header(file, end)
  }
  return end
}

/** Through a window of its own: the file is read whole. @throws UnreadableAudioError where players would stop early */
function countFrames(descriptor: number): number {
  const file = new FileWindow(descriptor)
  const { packets, ...audio } = readMp3Packets(file)
  let samples = 0
  let end = 0
  for (const { duration, parts } of packets) {
    samples += duration
    for (const [offset, length] of parts) end = offset + length
  }
  const isLong = file.size - end > Math.max(mostTagBytes, end / 10)
  if (isLong && findMp3Frame(file, end) !== null) throw new UnreadableAudioError(changesRate)
  return (playedTime(audio, samples).duration * 1_000) / audio.timescale
}

const changesRate =
  'Its sample rate changes, and players stop there: encode it again, by ffmpeg -i in.mp3 -q:a 2 out.mp3'

/** A frame of free format states no bit rate: its index is 0. No browser decodes it. */
function refuseFreeFormat(head: Buffer): void {
  if (head.length < 4) return
  const word = head.readUInt32BE(0)
  const isLayer3 = word >>> 21 === 0x7ff && ((word >>> 17) & 3) === 1 && ((word >>> 19) & 3) !== 1
  if (isLayer3 && ((word >>> 12) & 15) === 0 && ((word >>> 10) & 3) !== 3) {
    throw new UnreadableAudioError(
      'Browsers cannot play MP3 in free format: encode it again with a standard bit rate',
    )
  }
}

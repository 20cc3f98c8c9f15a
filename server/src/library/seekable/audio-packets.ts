import { fstatSync, readSync } from 'node:fs'

/** The encoded audio of a file, as packets in their order. */
export interface AudioPackets {
  /** The codec's sample entry: a box of `stsd` (ISO/IEC 14496-12, 8.5.2). */
  sampleEntry: Buffer
  /** Units of time per second: of `encoderDelay` and of the packets' durations. */
  timescale: number
  /** The encoder's delay, which players drop before the first sample. */
  encoderDelay: number
  /**
   * Of the duration of all packets, what the encoder appended to fill the last ones, which players drop after the last
   * sample. Call it once the packets are read. Default: nothing.
   */
  endPadding?: (totalTime: number) => number
  packets: Iterable<AudioPacket>
}

export interface AudioPacket {
  duration: number
  /** Where its bytes are in the file, in order: offset and length of each part. */
  parts: [offset: number, length: number][]
  /** Something that is no audio may lie between it and the packet before, of any length. */
  followsGap?: boolean
}

/** Encoders fill two packets at most: more is an error of the file. */
const mostPaddingS = 0.2

/** Returns the duration of a track's sound without the encoder's delay and padding, and that with the delay: units of time. */
export function playedTime(
  { timescale, encoderDelay, endPadding }: Omit<AudioPackets, 'sampleEntry' | 'packets'>,
  totalTime: number,
): { endTime: number; duration: number } {
  const stated = endPadding?.(totalTime) ?? 0
  const isPlausible = stated > 0 && stated <= mostPaddingS * timescale && stated < totalTime - encoderDelay
  const endTime = totalTime - (isPlausible ? stated : 0)
  return { endTime, duration: endTime - encoderDelay }
}

/** The file has no audio that can be indexed. Players get it as it is. */
export class UnindexableError extends Error {
  override name = 'UnindexableError'
}

const defaultWindowBytes = 1024 * 1024

/** Reads a file from front to back through a window in memory. Synchronous: for worker threads. */
export class FileWindow {
  readonly size: number
  readonly #descriptor: number
  readonly #windowBytes: number
  #buffer = Buffer.alloc(0)
  #start = 0

  /** `windowBytes` are read at once. */
  constructor(descriptor: number, windowBytes = defaultWindowBytes) {
    this.#descriptor = descriptor
    this.#windowBytes = windowBytes
    this.size = fstatSync(descriptor).size
  }

  /** Returns the bytes at an offset, fewer at the end of the file. Valid until the next call. */
  bytes(offset: number, length: number): Buffer {
    const at = offset - this.#start
    const end = Math.min(offset + length, this.size)
    if (at < 0 || end > this.#start + this.#buffer.length) this.#load(offset, length)
    return this.#buffer.subarray(offset - this.#start, offset - this.#start + length)
  }

  #load(offset: number, length: number): void {
    const buffer = Buffer.allocUnsafe(Math.max(this.#windowBytes, length))
    this.#buffer = buffer.subarray(0, readSync(this.#descriptor, buffer, 0, buffer.length, offset))
    this.#start = offset
  }
}

/** Returns the length of an ID3v2 tag at an offset, 0 where there is none. */
export const id3v2Length = (file: FileWindow, offset: number): number => id3v2LengthOf(file.bytes(offset, 10))

/** Returns the length of an ID3v2 tag by its first ten bytes, 0 for other bytes. */
export function id3v2LengthOf(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  const sizeBytes = [...head.subarray(6, 10)]
  const size = sizeBytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10
  return 10 + size + footer
}

/** Returns the offset after all ID3v2 tags at the start of a file. */
export function skipId3v2(file: FileWindow): number {
  let offset = 0
  for (let length = id3v2Length(file, 0); length > 0; length = id3v2Length(file, offset)) offset += length
  return offset
}

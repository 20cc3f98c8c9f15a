import { fstatSync, readSync } from 'node:fs'
import { FileWindow, id3v2LengthOf } from '../seekable/audio-packets.ts'
import { readMp3Packets } from '../seekable/mp3-packets.ts'

const searchedBytes = 4 * 1024
const hasFrameCount = 1
const hasByteCount = 2
/** A file may have lost a tag at its end that was counted. */
const toleratedBytes = 1024

/**
 * Counts the frames of an MP3 file that is shorter than its own header states, and returns their duration in ms; null for
 * any other file. Reads a file that is cut off whole. @throws UnindexableError without a frame
 */
export function readCutOffMp3(descriptor: number): number | null {
  if (!isCutOff(descriptor)) return null
  const { packets, timescale, skipped } = readMp3Packets(new FileWindow(descriptor))
  let samples = -skipped
  for (const { duration } of packets) samples += duration
  return (samples * 1_000) / timescale
}

/** Whether the header of an encoder (Xing or Info) counts more bytes than there are. Reads little: for every file of a scan. */
function isCutOff(descriptor: number): boolean {
  const start = id3v2LengthOf(readAt(descriptor, 0, 10))
  const head = readAt(descriptor, start, searchedBytes)
  const at = Math.max(head.indexOf('Xing', 0, 'latin1'), head.indexOf('Info', 0, 'latin1'))
  if (at < 0 || at + 16 > head.length) return false
  const flags = head.readUInt32BE(at + 4)
  if ((flags & hasByteCount) === 0) return false
  const byteCount = head.readUInt32BE(at + 8 + ((flags & hasFrameCount) === 0 ? 0 : 4))
  return fstatSync(descriptor).size - start < byteCount - toleratedBytes
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset))
}

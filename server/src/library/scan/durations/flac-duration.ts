import { closeSync, fstatSync, openSync } from 'node:fs'
import { FileWindow, id3v2LengthOf, UnindexableError } from '../../seekable/audio-packets.ts'
import {
  type FlacFrameHeader,
  longestFlacHeader,
  parseFlacHeader,
  readFlacPackets,
} from '../../seekable/flac-packets.ts'
import { readAt } from '../read-at.ts'

/**
 * Finds the duration of a FLAC file that states none, as encoders write that cannot go back to its start, in whole ms:
 * the sum of its frames. Reads the whole file, synchronously: for worker threads. Null without a frame.
 */
export function readFlacDuration(path: string): number | null {
  const descriptor = openSync(path, 'r')
  try {
    const { packets, timescale } = readFlacPackets(new FileWindow(descriptor))
    let samples = 0
    for (const packet of packets) samples += packet.duration
    return samples > 0 && timescale > 0 ? Math.round((samples * 1_000) / timescale) : null
  } catch (error) {
    if (error instanceof UnindexableError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** The first is what the fingerprint of a file reads too; the second has two frames of any music. */
const tailLengths = [64 * 1024, 1024 * 1024]

/**
 * Finds where the last frame of a FLAC file ends, in ms, if that is before what its header states; null for any other file,
 * and where the end of the file is no audio.
 */
export function readCutOffFlac(descriptor: number): number | null {
  const stated = readStreamInfo(descriptor)
  if (!stated || stated.samples === 0) return null
  const { size } = fstatSync(descriptor)
  for (const length of tailLengths) {
    const ends = listFrameEnds(readAt(descriptor, Math.max(0, size - length), length), stated.blockSamples)
    if (ends.some(({ end }) => end === stated.samples)) return null
    // A header that is followed by the next one is not one by accident.
    const last = ends.findLast(({ start }, index) => ends.slice(0, index).some(({ end }) => end === start))
    if (last) return last.end < stated.samples ? (last.end * 1_000) / stated.sampleRate : null
  }
  return null
}

interface StreamInfo {
  /** Of a frame, but the last one, where all have the same number. */
  blockSamples: number
  sampleRate: number
  /** Of the whole stream; 0 if unknown. */
  samples: number
}

/** Reads the STREAMINFO block (RFC 9639, 8.2). */
function readStreamInfo(descriptor: number): StreamInfo | null {
  const start = id3v2LengthOf(readAt(descriptor, 0, 10))
  const head = readAt(descriptor, start, 26)
  if (head.length < 26 || head.toString('latin1', 0, 4) !== 'fLaC') return null
  const sampleRate = head.readUInt32BE(18) >>> 12
  const samples = ((head[21] ?? 0) & 15) * 2 ** 32 + head.readUInt32BE(22)
  // The longest block: some encoders state the last one as the shortest.
  return sampleRate > 0 ? { blockSamples: head.readUInt16BE(10), sampleRate, samples } : null
}

/** The first and the last sample of a frame, by its header. */
interface FrameEnds {
  start: number
  end: number
}

function listFrameEnds(bytes: Buffer, blockSamples: number): FrameEnds[] {
  const found: FrameEnds[] = []
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = parseFlacHeader(bytes.subarray(at, at + longestFlacHeader))
    if (header) found.push(toEnds(header, blockSamples))
  }
  return found
}

function toEnds({ number, hasVaryingBlocks, samples }: FlacFrameHeader, blockSamples: number): FrameEnds {
  const start = hasVaryingBlocks ? number : number * blockSamples
  return { start, end: start + samples }
}

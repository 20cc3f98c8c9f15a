import { closeSync, openSync } from 'node:fs'
import { extname } from 'node:path'
import { FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { wavDurationS } from '../waveforms/measure-wav.ts'
import { readCutOffFlac } from './flac-duration.ts'
import { readCutOffMp3 } from './mp3-duration.ts'

/** Return the duration in ms of a file that is shorter than its header states; null for any other file. */
const readers = new Map<string, (descriptor: number) => number | null>([
  ['.flac', readCutOffFlac],
  ['.mp3', readCutOffMp3],
  ['.wav', readWavDuration],
])

/** Few headers are read, far apart. */
const windowBytes = 4 * 1024

/**
 * Finds the duration of a file that is shorter than its own header states, in whole ms; null for any other file. Reads
 * little of a whole file, but an MP3 file that is cut off whole, synchronously: for worker threads.
 */
export function readCutOffDuration(path: string): number | null {
  const read = readers.get(extname(path).toLowerCase())
  if (!read) return null
  const descriptor = openSync(path, 'r')
  try {
    const durationMs = read(descriptor)
    return durationMs !== null && durationMs > 0 ? Math.round(durationMs) : null
  } catch (error) {
    if (error instanceof UnindexableError || error instanceof RangeError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** The samples count also in a file whose header a recorder did not finish, which states 4 GB of them. */
function readWavDuration(descriptor: number): number {
  return 1_000 * wavDurationS(new FileWindow(descriptor, windowBytes))
}

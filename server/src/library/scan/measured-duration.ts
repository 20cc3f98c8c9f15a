import { closeSync, openSync } from 'node:fs'
import { contentExtension } from '../content-extension.ts'
import { unplayableExtension } from '../file-types.ts'
import { findAdtsFrame } from '../seekable/adts-packets.ts'
import { FileWindow, skipId3v2, UnindexableError } from '../seekable/audio-packets.ts'
import { findMp3Frame } from '../seekable/mp3-packets.ts'
import { readCutOffFlac } from './flac-duration.ts'
import { readUncountedMp3 } from './mp3-duration.ts'
import { readChainedOgg } from './ogg-duration.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'
import { readWavDuration } from './wav-duration.ts'

type Reader = (file: FileWindow, descriptor: number) => number | null

/** Return the duration in ms of a file that does not state it, or not truly; null for any other file. */
const readers = new Map<string, Reader>([
  ['.flac', (_file, descriptor) => readCutOffFlac(descriptor)],
  ['.mp3', readUncountedMp3],
  ['.oga', readChainedOgg],
  ['.ogg', readChainedOgg],
  ['.opus', readChainedOgg],
  ['.wav', readWavDuration],
])

/**
 * Find the first frame of a file. The parser of tags looks for one without end, takes minutes for some megabytes of
 * garbage, and finds what looks like one.
 */
const firstFrames = new Map<string, (file: FileWindow, from: number) => number | null>([
  ['.aac', findAdtsFrame],
  ['.mp3', (file, from) => findMp3Frame(file, from)],
])

/** Few headers are read, far apart. */
const windowBytes = 4 * 1024

export interface MeasuredAudio {
  /** By which to read the file, whatever its name. */
  extension: string
  /** In whole ms; null where what the file itself states is true, or it has none. */
  durationMs: number | null
}

/**
 * Finds what a file is, and its duration where the file does not state it truly. Reads little of a usual file, and others
 * whole (`readUncountedMp3`, `readChainedOgg`), synchronously: for worker threads. Throws `UnreadableAudioError`.
 */
export function measureAudio(path: string): MeasuredAudio {
  const descriptor = openSync(path, 'r')
  try {
    const file = new FileWindow(descriptor, windowBytes)
    const extension = contentExtension(file, path)
    if (unplayableExtension(`audio${extension}`) !== null) {
      throw new UnreadableAudioError(
        `Browsers cannot play ${extension} audio, whatever its name: convert it to FLAC, MP3, AAC, Opus or WAV`,
      )
    }
    const durationMs = attempt(() => readers.get(extension)?.(file, descriptor) ?? null)
    if (firstFrames.get(extension)?.(file, skipId3v2(file)) === null)
      throw new UnreadableAudioError('No audio in it: there is no frame at its start')
    return { extension, durationMs: durationMs !== null && durationMs > 0 ? Math.round(durationMs) : null }
  } finally {
    closeSync(descriptor)
  }
}

/** Returns null for a file that is damaged or none of its kind: the parser says what is wrong with it. */
function attempt(read: () => number | null): number | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnindexableError || error instanceof RangeError) return null
    throw error
  }
}

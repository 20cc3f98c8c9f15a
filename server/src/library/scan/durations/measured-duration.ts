import { closeSync, openSync } from 'node:fs'
import { contentExtension } from '../../content-extension.ts'
import { unplayableExtension } from '../../file-types.ts'
import { readAdtsFrames } from '../../seekable/adts-packets.ts'
import { type AudioPackets, FileWindow, UnindexableError } from '../../seekable/audio-packets.ts'
import { readMp3Packets } from '../../seekable/mp3-packets.ts'
import { readCutOffFlac } from './flac-duration.ts'
import { readMp3Duration } from './mp3-duration.ts'
import { readMp4Duration } from './mp4-duration.ts'
import { readChainedOgg } from './ogg-duration.ts'
import { UnreadableAudioError } from '../unreadable-audio.ts'
import { readWavDuration } from './wav-duration.ts'

type Reader = (file: FileWindow, descriptor: number) => number | null

/** By extension, reads the duration in ms of a file that does not state that of its sound; null for any other file. */
const readers = new Map<string, Reader>([
  ['.aac', (_file, descriptor) => countAdtsFrames(descriptor)],
  ['.flac', (_file, descriptor) => readCutOffFlac(descriptor)],
  ['.m4a', (_file, descriptor) => readMp4Duration(new FileWindow(descriptor))],
  ['.m4b', (_file, descriptor) => readMp4Duration(new FileWindow(descriptor))],
  ['.mp3', readMp3Duration],
  ['.oga', readChainedOgg],
  ['.ogg', readChainedOgg],
  ['.opus', readChainedOgg],
  ['.wav', readWavDuration],
])

/**
 * By extension, finds the frames of a file. The tag parser searches the whole file for the first four: it takes minutes
 * for some megabytes of garbage, and accepts false matches.
 */
const frameReaders = new Map<string, (file: FileWindow) => Pick<AudioPackets, 'packets'>>([
  ['.aac', readAdtsFrames],
  ['.mp3', readMp3Packets],
])
const parsedFrames = 4
const garbageMaxBytes = 1024 * 1024

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
 * whole (`readMp3Duration`, `readChainedOgg`), synchronously: for worker threads. Throws `UnreadableAudioError`.
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
    refuseGarbage(file, extension)
    return { extension, durationMs: durationMs !== null && durationMs > 0 ? Math.round(durationMs) : null }
  } finally {
    closeSync(descriptor)
  }
}

/** @throws UnreadableAudioError where the parser of tags would look for frames through the whole file */
function refuseGarbage(file: FileWindow, extension: string): void {
  const reader = frameReaders.get(extension)
  if (!reader) return
  const frames = attempt(() => reader(file))
  if (!frames) throw new UnreadableAudioError('No audio in it: there is no frame at its start')
  let [count, end] = [0, 0]
  for (const { parts } of frames.packets) {
    count += 1
    if (count >= parsedFrames) return
    for (const [offset, length] of parts) end = offset + length
  }
  if (file.size - end > garbageMaxBytes)
    throw new UnreadableAudioError('Hardly any audio in it: a few frames at its start, and none behind them')
}

/** Counts in a window of its own: the file is read whole. */
function countAdtsFrames(descriptor: number): number {
  const { packets, timescale } = readAdtsFrames(new FileWindow(descriptor))
  let samples = 0
  for (const { duration } of packets) samples += duration
  return (samples * 1_000) / timescale
}

/** Returns null for a file that is damaged or none of its kind: the parser says what is wrong with it. */
function attempt<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnindexableError || error instanceof RangeError) return null
    throw error
  }
}

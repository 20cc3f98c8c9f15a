import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** What several listeners' devices played over the same time, in samples of `recordedRate` on one clock. */
export interface Sounds {
  people: number
  frames: number
  /** The samples of one person; silence outside the recording. */
  read(person: number, fromFrame: number, frames: number): Float32Array
  close(): void
}

/** Sounds in memory. */
export function toSounds(recordings: Float32Array[]): Sounds {
  return {
    people: recordings.length,
    frames: Math.min(...recordings.map(({ length }) => length)),
    read: (person, fromFrame, frames) => {
      const from = Math.max(0, -fromFrame)
      const samples = new Float32Array(frames)
      const recorded = recordings[person]?.subarray(Math.max(0, fromFrame), Math.max(0, fromFrame + frames))
      if (recorded) samples.set(recorded, from)
      return samples
    },
    close: () => undefined,
  }
}

const bytesPerSample = 2

/**
 * Opens a recording of signed 16-bit little-endian samples, two interleaved channels per person, of which the left one
 * counts. Reads only what is asked for, so that memory does not grow with its length.
 */
export function openRecording(path: string, people: number): Sounds {
  const file = openSync(path, 'r')
  const bytesPerFrame = people * 2 * bytesPerSample
  return {
    people,
    frames: Math.floor(fstatSync(file).size / bytesPerFrame),
    read: (person, fromFrame, frames) => {
      const skipped = Math.max(0, -fromFrame)
      const samples = new Float32Array(frames)
      const bytes = Buffer.alloc(Math.max(0, frames - skipped) * bytesPerFrame)
      const length = readSync(file, bytes, 0, bytes.length, (fromFrame + skipped) * bytesPerFrame)
      const read = Math.floor(length / bytesPerFrame)
      for (let frame = 0; frame < read; frame += 1) {
        const at = frame * bytesPerFrame + person * 2 * bytesPerSample
        samples[skipped + frame] = bytes.readInt16LE(at) / 32_768
      }
      return samples
    },
    close: () => closeSync(file),
  }
}

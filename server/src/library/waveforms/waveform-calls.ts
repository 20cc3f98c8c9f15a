import { measureFile } from './measure-file.ts'

/** Computes waveforms. The server calls it in a thread of its own. */
export type WaveformCalls = ReturnType<typeof createWaveformCalls>

interface WaveformSource {
  /** Absolute. */
  path: string
  durationMs: number
}

export function createWaveformCalls() {
  return {
    /** Returns the waveform of a file; null where it cannot be decoded. */
    measure: ({ path, durationMs }: WaveformSource): Promise<number[] | null> =>
      measureFile(path, durationMs),
  }
}

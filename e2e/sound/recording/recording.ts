/** Samples per second of a recording. */
export const recordedRate = 48_000

/** A recording that is being written. */
export interface FileRecording {
  /** The time of its first sample by `performance.now()`, to about 30 ms. */
  startedAtMs: number
  /** Resolves when the file is complete. */
  stop(): Promise<void>
}

/**
 * Extracts one listener's left channel from a recording: signed 16-bit little-endian samples, two interleaved channels
 * per listener, all on one clock.
 */
export function takeListener(recording: Buffer, listener: number, listeners: number): Float32Array {
  const channelCount = listeners * 2
  const frames = Math.floor(recording.length / 2 / channelCount)
  const samples = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame += 1) {
    samples[frame] = recording.readInt16LE((frame * channelCount + listener * 2) * 2) / 32_768
  }
  return samples
}

/** Returns the root mean square of samples: 0 is silence, about 0.1 music. */
export function loudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}

/** Cuts a recording, in ms from its start. */
export function cut(samples: Float32Array, fromMs: number, toMs: number): Float32Array {
  const at = (ms: number) => Math.max(0, Math.round((ms / 1_000) * recordedRate))
  return samples.subarray(at(fromMs), at(toMs))
}

const gapWindowMs = 10
const silence = 0.002

/** Returns the longest silence in a recording, ms. */
export function longestGapMs(samples: Float32Array): number {
  let longest = 0
  let current = 0
  for (let fromMs = 0; ; fromMs += gapWindowMs) {
    const window = cut(samples, fromMs, fromMs + gapWindowMs)
    if (window.length === 0) return longest
    current = loudness(window) < silence ? current + gapWindowMs : 0
    longest = Math.max(longest, current)
  }
}

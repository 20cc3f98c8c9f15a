import { serverLimits } from '../../server-limits.ts'

/** Collects how loud a track is, in parts of equal length. Audio may be added in any order, and need not be complete. */
export interface PartLevels {
  /** Adds samples from -1 to 1, one array per channel. `startS` is where they begin in the track. */
  add(channels: readonly Float32Array[], startS: number, sampleRate: number): void
  /** Returns the level of each part, 255 for the loudest; all 0 in silence. */
  peaks(): number[]
}

const parts = serverLimits.waveformPeaks

/** Measures the effective value (RMS) of each part. */
export function createPartLevels(durationS: number): PartLevels {
  const squares = new Float64Array(parts)
  const counts = new Float64Array(parts)
  return {
    add(channels, startS, sampleRate) {
      const partsPerSample = parts / (durationS * sampleRate)
      const first = (startS * parts) / durationS
      for (const samples of channels) {
        for (let at = 0; at < samples.length; at += 1) {
          const part = Math.min(parts - 1, Math.max(0, Math.floor(first + at * partsPerSample)))
          const sample = samples[at] ?? 0
          squares[part] = (squares[part] ?? 0) + sample * sample
          counts[part] = (counts[part] ?? 0) + 1
        }
      }
    },
    peaks() {
      const levels = Array.from(squares, (sum, part) => {
        const count = counts[part] ?? 0
        return count === 0 ? null : Math.sqrt(sum / count)
      })
      const loudest = Math.max(...levels.map((level) => level ?? 0))
      let last = 0
      // A part without audio of its own is as loud as the one before.
      return levels
        .map((level) => (last = level === null || loudest === 0 ? last : level / loudest))
        .map(toByte)
    },
  }
}

const toByte = (share: number): number => Math.round(share * 255)

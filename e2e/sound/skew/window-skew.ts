import { recordedRate } from '../recording/recording.ts'
import { correlateAt, refinePeak } from './skew.ts'
import FFT from 'fft.js'

/** The skew of one window of two sounds. */
export interface WindowSkew {
  /** How much later `b` sounds than `a`, ms. */
  lagMs: number
  /** Normalised correlation at that lag, 0..1. */
  correlation: number
}

/** Compares windows of a fixed length with a fixed range of lags. Keeps its buffers: not reentrant. */
export interface WindowComparison {
  /** The frames to read around a window, on each side. */
  marginFrames: number
  rangeMs: number
  /** Takes a window with its margins, which is transformed once for all pairs that it takes part in. */
  prepare(samples: Float32Array): PreparedWindow
  compare(a: PreparedWindow, b: PreparedWindow): WindowSkew
}

interface PreparedWindow {
  samples: Float32Array
  /** Half spectra, interleaved real and imaginary, once they are needed: of the window alone, and with its margins. */
  inner?: Float64Array
  whole?: Float64Array
}

/** Bins this far below the strongest, as a power ratio, hold only rounding noise: above the cutoff of a codec, say. */
const emptyBin = 1e-6
/** Faded edges: a hard cut would leak the strong bins into the empty ones. */
const taperFrames = 480

/**
 * Compares windows by the phase transform of their cross-correlation (GCC-PHAT; Knapp and Carter, 1976): a window of `a`
 * against the same window of `b` with `marginFrames` on each side, so that every lag in range has the full overlap.
 * @param windowFrames plus twice `marginFrames` must be a power of two
 */
export function createWindowComparison(windowFrames: number, marginFrames: number): WindowComparison {
  const size = windowFrames + 2 * marginFrames
  const fft = new FFT(size)
  const padded = new Float64Array(size)
  const transform = (samples: Float32Array, from: number, to: number) => {
    padded.fill(0)
    for (let frame = from; frame < to; frame += 1) {
      const edge = Math.min(frame - from, to - 1 - frame) + 0.5
      padded[frame] =
        (samples[frame] ?? 0) * (edge < taperFrames ? Math.sin((Math.PI * edge) / taperFrames / 2) ** 2 : 1)
    }
    const spectrum = new Float64Array(size * 2)
    fft.realTransform(spectrum as unknown as number[], padded as unknown as number[])
    return spectrum
  }
  const cross = new Float64Array(size * 2)
  const correlation = new Float64Array(size * 2)
  return {
    marginFrames,
    rangeMs: (marginFrames / recordedRate) * 1_000,
    prepare: (samples) => ({ samples }),
    compare: (a, b) => {
      a.inner ??= transform(a.samples, marginFrames, marginFrames + windowFrames)
      b.whole ??= transform(b.samples, 0, size)
      whiten(a.inner, b.whole, cross)
      fft.completeSpectrum(cross as unknown as number[])
      fft.inverseTransform(correlation as unknown as number[], cross as unknown as number[])
      const at = (lag: number) => correlation[((lag + size) % size) * 2] ?? 0
      let best = 0
      for (let lag = -marginFrames; lag <= marginFrames; lag += 1) if (at(lag) > at(best)) best = lag
      const lag = best + refinePeak(at(best - 1), at(best), at(best + 1))
      return {
        lagMs: (lag / recordedRate) * 1_000,
        correlation: correlateAt(a.samples, b.samples, {
          from: marginFrames,
          to: marginFrames + windowFrames,
          lag: best,
        }),
      }
    },
  }
}

/** Writes the cross spectrum of `a` and `b` with all magnitudes 1, and 0 where there is no signal. */
function whiten(a: Float64Array, b: Float64Array, cross: Float64Array): void {
  const half = cross.length / 2 + 2
  let strongest = 0
  for (let index = 0; index < half; index += 2) {
    const [reA = 0, imA = 0, reB = 0, imB = 0] = [a[index], a[index + 1], b[index], b[index + 1]]
    const re = reB * reA + imB * imA
    const im = imB * reA - reB * imA
    cross[index] = re
    cross[index + 1] = im
    strongest = Math.max(strongest, re * re + im * im)
  }
  const least = strongest * emptyBin ** 2
  for (let index = 0; index < half; index += 2) {
    const [re = 0, im = 0] = [cross[index], cross[index + 1]]
    const power = re * re + im * im
    const scale = power <= least ? 0 : 1 / Math.sqrt(power)
    cross[index] = re * scale
    cross[index + 1] = im * scale
  }
}

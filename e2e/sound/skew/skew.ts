import FFT from 'fft.js'
import { recordedRate } from '../recording/recording.ts'

export interface Skew {
  /** How much later `b` sounds than `a`, in ms. */
  lagMs: number
  /** The peak of the normalised correlation, 0..1: below about 0.3 the two do not sound the same. */
  correlation: number
}

/**
 * Measures the delay between two recordings of the same sound, by the phase transform of their cross-correlation
 * (GCC-PHAT; Knapp and Carter, "The generalized correlation method for estimation of time delay", 1976), refined
 * between samples by a parabola. The sound must be broadband.
 */
export function measureSkew(a: Float32Array, b: Float32Array, maxLagMs = 2_000): Skew {
  const length = Math.min(a.length, b.length)
  const size = 2 ** Math.ceil(Math.log2(length * 2))
  const correlation = correlate(a.subarray(0, length), b.subarray(0, length), size)
  const maxLag = Math.min(Math.round((maxLagMs / 1_000) * recordedRate), length - 1)
  const at = (lag: number) => correlation[(lag + size) % size] ?? 0
  let best = 0
  for (let lag = -maxLag; lag <= maxLag; lag += 1) if (at(lag) > at(best)) best = lag
  const offset = refinePeak(at(best - 1), at(best), at(best + 1))
  return {
    lagMs: ((best + offset) / recordedRate) * 1_000,
    correlation: correlateAt(a, b, {
      from: Math.max(0, -best),
      to: Math.min(length, length - best),
      lag: best,
    }),
  }
}

function correlate(a: Float32Array, b: Float32Array, size: number): number[] {
  const fft = new FFT(size)
  const spectrumA = transform(fft, a, size)
  const spectrumB = transform(fft, b, size)
  const cross = fft.createComplexArray()
  for (let index = 0; index < size * 2; index += 2) {
    const [reA = 0, imA = 0, reB = 0, imB = 0] = [
      spectrumA[index],
      spectrumA[index + 1],
      spectrumB[index],
      spectrumB[index + 1],
    ]
    const re = reB * reA + imB * imA
    const im = imB * reA - reB * imA
    const magnitude = Math.hypot(re, im) || 1
    cross[index] = re / magnitude
    cross[index + 1] = im / magnitude
  }
  const result = fft.createComplexArray()
  fft.inverseTransform(result, cross)
  return result.filter((_, index) => index % 2 === 0)
}

function transform(fft: FFT, samples: Float32Array, size: number): number[] {
  const padded = Array.from<number>({ length: size }).fill(0)
  for (let index = 0; index < samples.length; index += 1) padded[index] = samples[index] ?? 0
  const spectrum = fft.createComplexArray()
  fft.realTransform(spectrum, padded)
  fft.completeSpectrum(spectrum)
  return spectrum
}

/** Returns the vertex of a parabola through three neighbours, between -0.5 and 0.5 samples. */
export function refinePeak(before: number, top: number, after: number): number {
  const curvature = before - 2 * top + after
  return curvature === 0 ? 0 : (0.5 * (before - after)) / curvature
}

/** Returns the normalised correlation, -1..1, of the frames `from` to `to` of `a` with those of `b` `lag` frames later. */
export function correlateAt(
  a: Float32Array,
  b: Float32Array,
  { from, to, lag }: { from: number; to: number; lag: number },
): number {
  let product = 0
  let powerA = 0
  let powerB = 0
  for (let frame = from; frame < to; frame += 1) {
    const sampleA = a[frame] ?? 0
    const sampleB = b[frame + lag] ?? 0
    product += sampleA * sampleB
    powerA += sampleA * sampleA
    powerB += sampleB * sampleB
  }
  const power = Math.sqrt(powerA * powerB)
  return power === 0 ? 0 : product / power
}

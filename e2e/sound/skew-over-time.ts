import { cut, loudness, recordedRate } from './recording.ts'
import { measureSkew } from './skew.ts'

/** The skew of two recordings in a short window. */
export interface SkewWindow {
  /** The window, ms from the start of the recordings. */
  fromMs: number
  toMs: number
  /** How much later `b` sounds than `a`, ms; null where one is silent or the sounds differ. */
  lagMs: number | null
}

export interface SkewOverTimeOptions {
  /** The length of a window, and the distance between the starts of two. */
  windowMs?: number
  stepMs?: number
  /** The expected skew, give or take half a window: the result of `measureSkew` over the whole. */
  aroundMs?: number
}

/** In 50 ms different noise comes to 0.1; the same noise, played 0.3 % faster, to 0.4. */
const minCorrelation = 0.25
const silence = 0.005

/**
 * Measures the skew of two recordings over time. A player under correction runs a little faster or slower: over seconds
 * that blurs the correlation, within 50 ms it does not.
 */
export function skewOverTime(
  a: Float32Array,
  b: Float32Array,
  options: SkewOverTimeOptions = {},
): SkewWindow[] {
  const { windowMs = 50, stepMs = 50, aroundMs = 0 } = options
  const [shiftA, shiftB] = [Math.max(0, -aroundMs), Math.max(0, aroundMs)]
  const lengthMs = (Math.min(a.length, b.length) / recordedRate) * 1_000 - Math.abs(aroundMs)
  const windows: SkewWindow[] = []
  for (let fromMs = 0; fromMs + windowMs <= lengthMs; fromMs += stepMs) {
    const toMs = fromMs + windowMs
    const lagMs = compare(cut(a, fromMs + shiftA, toMs + shiftA), cut(b, fromMs + shiftB, toMs + shiftB))
    windows.push({ fromMs, toMs, lagMs: lagMs === null ? null : lagMs + aroundMs })
  }
  return windows
}

function compare(a: Float32Array, b: Float32Array): number | null {
  if (loudness(a) < silence || loudness(b) < silence) return null
  const { lagMs, correlation } = measureSkew(a, b)
  return correlation < minCorrelation ? null : lagMs
}

/**
 * Returns the time from which on two recordings stay within `withinMs` of each other, ms: the end of the first window of
 * the last uninterrupted run. Null where they are not within it at their end.
 */
export function inSyncSince(windows: SkewWindow[], withinMs: number): number | null {
  const isInSync = ({ lagMs }: SkewWindow) => lagMs !== null && Math.abs(lagMs) <= withinMs
  const lastOut = windows.findLastIndex((window) => !isInSync(window))
  return windows[lastOut + 1]?.toMs ?? null
}

import { cut, loudness, recordedRate } from './recording.ts'
import { measureSkew } from './skew.ts'

/** How two recordings lie in one short stretch of them. */
export interface SkewWindow {
  /** Where the stretch begins and ends, ms from the beginning of the recordings. */
  fromMs: number
  toMs: number
  /** How much later `b` sounds than `a`, ms; null where one of them is silent or they do not sound the same. */
  lagMs: number | null
}

export interface SkewOverTimeOptions {
  /** How long a stretch is compared at a time, and how far apart the stretches begin. */
  windowMs?: number
  stepMs?: number
  /** Where the skew is to be looked for, give or take half a window: the result of `measureSkew` over the whole. */
  aroundMs?: number
}

/** In 50 ms different noise comes to 0.1; the same noise, played 0.3 % faster, to 0.4. */
const minCorrelation = 0.25
const silence = 0.005

/**
 * The skew of two recordings as it changes. A listener who is being corrected plays a little faster or slower: over
 * seconds that blurs the correlation, in a twentieth of a second it does not.
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
 * From when on two recordings are within `withinMs` of each other to their end, in ms from their beginning: the end of the first
 * of the stretches that are so without an interruption. Null where they are not at the end.
 */
export function inSyncSince(windows: SkewWindow[], withinMs: number): number | null {
  const isInSync = ({ lagMs }: SkewWindow) => lagMs !== null && Math.abs(lagMs) <= withinMs
  const lastOut = windows.findLastIndex((window) => !isInSync(window))
  return windows[lastOut + 1]?.toMs ?? null
}

import { limits } from '../../limits.ts'
import { median } from '../../statistics.ts'

/** The outcome of one probe. All times in ms, instants on the client's clock. */
export interface ClockSample {
  /** Halfway between sending the probe and receiving its answer. */
  atClientMs: number
  /** Server time minus client time. */
  offsetMs: number
  rttMs: number
}

/** Round trips within this of the shortest count as undelayed: timer jitter alone causes as much. */
const undelayedWithinMs = 1
/** Older undelayed samples are ignored: the clocks drift apart, and their skew is not known exactly. */
const recentMs = 10_000
/** Bounds widen by 30 ppm of their age: clocks drift apart. */
export const wideningPerMs = 30e-6

/** The history for the skew keeps one sample per interval of this length: the one with the shortest round trip. */
const historyIntervalMs = 10_000
/** Samples of the history from which on the skew is known. */
export const minHistory = 6
/** Standard deviation of the skew before any measurement, in ppm. */
const priorPpm = 30
/** Error of a sample on a path without jitter, in ms. */
const baseErrorMs = 0.25
const maxPpm = 500

/**
 * Estimates the offset at an instant on a steady path, where most round trips are as short as the shortest: the median
 * of the recent undelayed samples, exact but for the path's asymmetry. Null on an unsteady path.
 * @param samples at least one
 */
export function steadyOffset(samples: readonly ClockSample[], skewPpm: number, nowMs: number): number | null {
  const shortestMs = Math.min(...samples.map(({ rttMs }) => rttMs))
  const undelayed = samples.filter(({ rttMs }) => rttMs - shortestMs < undelayedWithinMs)
  if (undelayed.length * 2 <= samples.length) return null
  const newestMs = Math.max(...undelayed.map(({ atClientMs }) => atClientMs))
  const recent = undelayed.filter(({ atClientMs }) => newestMs - atClientMs < recentMs)
  const sorted = recent.map((sample) => offsetAfterSkew(sample, skewPpm, nowMs)).toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** The interval that contains the true offset at an instant, in ms. */
interface OffsetBounds {
  lowestMs: number
  highestMs: number
  /** How far the tightest bounds probably are from the limit that more samples would reach. */
  samplingErrorMs: number
}

/**
 * Intersects the bounds of all samples: the true offset lies within half a round trip of each. The tightest bound in
 * each direction may come from different round trips, which helps on jittery paths. Null where the bounds do not
 * intersect.
 * @param samples at least one
 */
export function boundOffset(
  samples: readonly ClockSample[],
  skewPpm: number,
  nowMs: number,
): OffsetBounds | null {
  const bounds = samples.map((sample) => {
    const offsetMs = offsetAfterSkew(sample, skewPpm, nowMs)
    const halfWidthMs = sample.rttMs / 2 + (nowMs - sample.atClientMs) * wideningPerMs
    return { lowMs: offsetMs - halfWidthMs, highMs: offsetMs + halfWidthMs }
  })
  const lows = bounds.map(({ lowMs }) => -lowMs).toSorted((a, b) => a - b)
  const highs = bounds.map(({ highMs }) => highMs).toSorted((a, b) => a - b)
  const lowestMs = -(lows[0] ?? Infinity)
  const highestMs = highs[0] ?? Infinity
  if (lowestMs > highestMs) return null
  return { lowestMs, highestMs, samplingErrorMs: Math.max(spacingOf(lows), spacingOf(highs)) / 2 }
}

/** The tightest bounds that the spacing is taken from. */
const spacedBounds = 3

/**
 * Returns the mean spacing of the smallest values: random delays come as close to their minimum as to each other.
 * @param sorted ascending
 */
function spacingOf(sorted: readonly number[]): number {
  const [first = 0] = sorted
  const last = sorted[spacedBounds - 1] ?? Infinity
  return (last - first) / (spacedBounds - 1)
}

/** An estimate of the offset at an instant, in ms. */
export interface OffsetEstimate {
  offsetMs: number
  /** The true offset is within this, however the path divides its round trips. */
  boundMs: number
  /** The part of the error that more samples would remove; 0 on a steady path. */
  samplingErrorMs: number
}

/**
 * Estimates the offset: on a steady path the median of the undelayed samples, otherwise the middle of the bounds. The
 * best samples of the last minutes bound it as well, which keeps it right while a transfer fills one direction. Null
 * where the bounds do not intersect.
 * @param samples at least one
 */
export function estimateOffset(
  samples: readonly ClockSample[],
  history: readonly ClockSample[],
  skewPpm: number,
  nowMs: number,
): OffsetEstimate | null {
  const all = [...new Set([...history, ...samples])]
  const bounds = boundOffset(all, skewPpm, nowMs) ?? boundOffset(samples, skewPpm, nowMs)
  if (!bounds) return null
  const { lowestMs, highestMs, samplingErrorMs } = bounds
  const steadyMs = steadyOffset(samples, skewPpm, nowMs)
  const offsetMs =
    steadyMs === null ? (lowestMs + highestMs) / 2 : Math.max(lowestMs, Math.min(highestMs, steadyMs))
  const boundMs = Math.max(highestMs - offsetMs, offsetMs - lowestMs)
  return { offsetMs, boundMs, samplingErrorMs: steadyMs === null ? samplingErrorMs : 0 }
}

function offsetAfterSkew({ atClientMs, offsetMs }: ClockSample, skewPpm: number, nowMs: number): number {
  return offsetMs + (nowMs - atClientMs) * (skewPpm / 1e6)
}

/** Adds a sample to the history that the skew is fitted to: the last minutes, the best sample of each interval. */
export function keepForSkew(history: readonly ClockSample[], sample: ClockSample): readonly ClockSample[] {
  const recent = history.filter(
    ({ atClientMs }) => sample.atClientMs - atClientMs <= limits.probeSkewWindowMs,
  )
  const intervalOf = ({ atClientMs }: ClockSample): number => Math.floor(atClientMs / historyIntervalMs)
  const kept = recent.find((earlier) => intervalOf(earlier) === intervalOf(sample))
  if (!kept) return [...recent, sample]
  return kept.rttMs <= sample.rttMs ? recent : [...recent.filter((earlier) => earlier !== kept), sample]
}

/**
 * Estimates how much faster the server's clock runs than the client's, in ppm: the slope of the offsets by weighted
 * ridge regression. A sample's error grows with its round trip, so slow samples have little weight; with little
 * evidence the result stays near 0 (the posterior mean under a normal prior). 0 with too few samples.
 */
export function fitSkewPpm(history: readonly ClockSample[]): number {
  if (history.length < minHistory) return 0
  const roundTrips = history.map(({ rttMs }) => rttMs)
  const shortestMs = Math.min(...roundTrips)
  // On a jittery path even the shortest round trip has an error.
  const minErrorMs = baseErrorMs + (median(roundTrips) - shortestMs) / 4
  const points = history.map(({ atClientMs, offsetMs, rttMs }) => {
    const errorMs = minErrorMs + (rttMs - shortestMs) / 2
    return { atClientMs, offsetMs, weight: 1 / (errorMs * errorMs) }
  })
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  const meanAt = points.reduce((sum, point) => sum + point.weight * point.atClientMs, 0) / total
  const meanOffset = points.reduce((sum, point) => sum + point.weight * point.offsetMs, 0) / total
  let spread = 1 / (priorPpm / 1e6) ** 2
  let covariance = 0
  for (const { atClientMs, offsetMs, weight } of points) {
    spread += weight * (atClientMs - meanAt) ** 2
    covariance += weight * (atClientMs - meanAt) * (offsetMs - meanOffset)
  }
  const ppm = (covariance / spread) * 1e6
  return Math.max(-maxPpm, Math.min(maxPpm, ppm))
}

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
/** A sample's bounds widen by 30 ppm of its age. */
const wideningPerMs = 30e-6

/** The history for the skew keeps one sample per interval of this length: the one with the shortest round trip. */
const historyIntervalMs = 10_000
const minHistory = 6
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

/**
 * Estimates the offset at an instant by intersecting the bounds of all samples: the true offset lies within half a
 * round trip of each. The tightest bound in each direction may come from different round trips, which helps on
 * jittery paths. Null where the bounds do not intersect.
 * @param samples at least one
 */
export function boundOffset(samples: readonly ClockSample[], skewPpm: number, nowMs: number): number | null {
  let lowestMs = -Infinity
  let highestMs = Infinity
  for (const sample of samples) {
    const offsetMs = offsetAfterSkew(sample, skewPpm, nowMs)
    const halfWidthMs = sample.rttMs / 2 + (nowMs - sample.atClientMs) * wideningPerMs
    lowestMs = Math.max(lowestMs, offsetMs - halfWidthMs)
    highestMs = Math.min(highestMs, offsetMs + halfWidthMs)
  }
  return lowestMs > highestMs ? null : (lowestMs + highestMs) / 2
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

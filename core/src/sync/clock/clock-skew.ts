import { limits } from '../../limits.ts'
import { median } from '../../statistics.ts'
import type { ClockSample } from './clock-offset.ts'

/** One sample is kept of each stretch of this length: the one with the shortest round trip. */
const stretchMs = 10_000
const minSamples = 6
/** What a clock's skew is like before anything is measured: a standard deviation in ppm. */
const priorPpm = 30
/** What is left of a sample's error on a path without any jitter, in ms. */
const quietErrorMs = 0.25
const maxPpm = 500

/** The samples for the skew with another one taken in: those of the last minutes, the best of each stretch. */
export function keepForSkew(history: readonly ClockSample[], sample: ClockSample): readonly ClockSample[] {
  const recent = history.filter(
    ({ atClientMs }) => sample.atClientMs - atClientMs <= limits.probeSkewWindowMs,
  )
  const stretchOf = ({ atClientMs }: ClockSample): number => Math.floor(atClientMs / stretchMs)
  const rival = recent.find((earlier) => stretchOf(earlier) === stretchOf(sample))
  if (!rival) return [...recent, sample]
  return rival.rttMs <= sample.rttMs ? recent : [...recent.filter((earlier) => earlier !== rival), sample]
}

/**
 * How much faster the server's clock runs than the client's, in ppm: the slope of the offsets by weighted least
 * squares. What a round trip has above the shortest one is how far its offset may be off, so slow samples hardly
 * count; and the less the samples settle it, the nearer to 0 the answer (a ridge: the mean of the posterior with a
 * normal prior). 0 where there are too few.
 */
export function fitSkewPpm(history: readonly ClockSample[]): number {
  if (history.length < minSamples) return 0
  const roundTrips = history.map(({ rttMs }) => rttMs)
  const shortestMs = Math.min(...roundTrips)
  const typicalMs = median(roundTrips)
  // On an unsteady path the shortest round trip is not free of error either.
  const floorMs = quietErrorMs + (typicalMs - shortestMs) / 4
  const points = history.map(({ atClientMs, offsetMs, rttMs }) => {
    const errorMs = floorMs + (rttMs - shortestMs) / 2
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

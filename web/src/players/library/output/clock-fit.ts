/** A reading as the fit sees it: offsets of the wall clock from the context's, ms, shifted by later underruns. */
export interface WeighedReading {
  contextMs: number
  /** Of the browser's output timestamp. */
  offsetMs: number
  /** Of the context's own clock; the output latency is missing from it. */
  renderOffsetMs: number
  /** How far the output timestamp may be off because the timestamps drift, or did some seconds ago. */
  unsettledMs: number
  /** Variance of the output timestamp, ms squared. */
  variance: number
  /** Whether the timestamps of this stream have drifted so far. */
  hasDrifted: boolean
  /** Variance added by underruns since then. */
  shiftVariance: number
}

/** The output latency as expected before a stream shows it, ms, and its weight: 1 / variance in independent readings. */
export interface LatencyPrior {
  latencyMs: number
  weight: number
}

/** wall = context + offsetMs + (context - aroundMs) * slope */
export interface ClockFit {
  offsetMs: number
  aroundMs: number
  slope: number
  /** The output latency: what the context's own clock is ahead of the output. */
  latencyMs: number
  /** The offset may be off by this: the standard errors of a typical reading and of the latency. */
  uncertaintyMs: number
}

/** Output timestamps less unsettled than this describe the sound. */
export const settledMs = 3
/** Over a shorter span a slope would only fit the jitter. */
const slopeNeedsMs = 6_000
const slopePoints = 40
/** The oscillators of real devices differ by up to some hundred ppm. */
const maxSlope = 500e-6
const usualSlope = 200e-6
/** Over a shorter span the common error of the latest readings makes a slope of its own. */
const slopeSettlesMs = 15_000
/** Variance of the averaged context clock. */
const renderVariance = 16
/** Drifting timestamps further than this from the context's own clock are off by the difference. */
const renderJitterMs = 3
/** Timestamps drift by this at most: an expected latency further from them is another device's. */
const maxDriftMs = 50
/** The latencies of a device's streams differ by less. */
const sameDeviceMs = 20
/** Neighbouring readings share their error: so many weigh as much as an independent one. */
const readingsPerIndependent = 35

export const offsetAt = (fit: ClockFit, contextMs: number): number =>
  fit.offsetMs + (contextMs - fit.aroundMs) * fit.slope

/**
 * Fits the slope after Theil and Sen and the offset as the median of the residuals, both robust to outliers. `prior`
 * counts once the timestamps have drifted: without drift they show the latency themselves.
 */
export function fitClock(
  readings: readonly WeighedReading[],
  prior: LatencyPrior | null,
  knownSlope: number | null = null,
): ClockFit {
  const aroundMs = readings.at(-1)?.contextMs ?? 0
  const { latencyMs, errorMs } = estimateLatency(readings, prior)
  const slope = knownSlope ?? fitSlope(readings.filter((reading) => isBelievable(reading, latencyMs)))
  const residuals = readings.flatMap((reading) => residualsOf(reading, { aroundMs, slope, latencyMs }))
  const uncertaintyMs = Math.hypot(standardError(residuals), errorMs)
  return { offsetMs: weightedMedian(residuals), aroundMs, slope, latencyMs, uncertaintyMs }
}

/** Estimates the output latency, as the median of the readings' and the expected one, and how far it may be off. */
function estimateLatency(
  readings: readonly WeighedReading[],
  prior: LatencyPrior | null,
): { latencyMs: number; errorMs: number } {
  const latencies = readings.map((reading) => ({ value: latencyOf(reading), weight: 1 / reading.variance }))
  const statedMs = weightedMedian(latencies.map(({ value }) => ({ value, weight: 1 })))
  const priorErrorMs = prior === null ? 0 : Math.abs(prior.latencyMs - statedMs)
  const believed = priorErrorMs > maxDriftMs ? null : prior
  const weight = readings.at(-1)?.hasDrifted ? (believed?.weight ?? 0) : 0
  const expected = { value: believed?.latencyMs ?? 0, weight }
  const standardErrorMs = 1 / Math.sqrt(weight + sumWeights(latencies) / readingsPerIndependent)
  // It may be another device's that has the same name, while the timestamps drift the other way.
  const mistakenMs = weight > 0 && priorErrorMs > sameDeviceMs ? priorErrorMs + sameDeviceMs : 0
  return {
    latencyMs: weightedMedian([expected, ...latencies]),
    errorMs: Math.max(standardErrorMs, driftErrorMs(readings, believed !== null), mistakenMs),
  }
}

/** How far drifting timestamps leave the latency open. */
function driftErrorMs(readings: readonly WeighedReading[], isLatencyKnown: boolean): number {
  const newest = readings.at(-1)
  if (!newest?.hasDrifted) return 0
  // Where nothing else is known, the whole stream may be off by twice what its latest readings may be.
  if (!isLatencyKnown) return 2 * newest.unsettledMs
  // A known latency is compared with, unless the output was shifted: that may have changed it.
  return readings.some(({ shiftVariance }) => shiftVariance > 0) ? newest.unsettledMs : 0
}

/** The offsets at `aroundMs` that a reading shows: by its output timestamp, and by the context's own clock. */
function residualsOf(
  reading: WeighedReading,
  { aroundMs, slope, latencyMs }: Pick<ClockFit, 'aroundMs' | 'slope' | 'latencyMs'>,
): Weighed[] {
  const { offsetMs, renderOffsetMs, contextMs, shiftVariance } = reading
  const tiltMs = (contextMs - aroundMs) * slope
  const variance = timestampVariance(reading, latencyMs)
  return [
    { value: offsetMs - tiltMs, weight: 1 / (variance + shiftVariance) },
    { value: renderOffsetMs + latencyMs - tiltMs, weight: 1 / (renderVariance + shiftVariance) },
  ]
}

const latencyOf = ({ offsetMs, renderOffsetMs }: WeighedReading): number => offsetMs - renderOffsetMs

function isBelievable(reading: WeighedReading, latencyMs: number): boolean {
  return reading.unsettledMs < settledMs || Math.abs(latencyOf(reading) - latencyMs) <= renderJitterMs
}

function timestampVariance(reading: WeighedReading, latencyMs: number): number {
  if (reading.unsettledMs < settledMs) return reading.variance
  return reading.variance + Math.max(0, Math.abs(latencyOf(reading) - latencyMs) - renderJitterMs) ** 2
}

/** Neighbouring readings share their error, so more of them do not reduce it: the mean variance counts. */
function standardError(residuals: readonly Weighed[]): number {
  return Math.sqrt(residuals.length / sumWeights(residuals))
}

/**
 * Returns the weighted median of the slopes between readings far enough apart; 0 without any, and less while they are
 * unsettled.
 */
function fitSlope(readings: readonly WeighedReading[]): number {
  const stride = Math.ceil(readings.length / slopePoints)
  const points = readings.filter((_, index) => index % stride === 0)
  const slopes = points.flatMap((from, index) =>
    points
      .slice(index + 1)
      .filter((to) => to.contextMs - from.contextMs >= slopeNeedsMs)
      .map((to) => slopeBetween(from, to)),
  )
  const slope = Math.max(-maxSlope, Math.min(maxSlope, weightedMedian(slopes)))
  const [oldest, newest] = [readings.at(0), readings.at(-1)]
  const spanMs = (newest?.contextMs ?? 0) - (oldest?.contextMs ?? 0)
  const doubt = newest && spanMs < slopeSettlesMs ? newest.unsettledMs / spanMs : 0
  return (slope * usualSlope ** 2) / (usualSlope ** 2 + doubt ** 2)
}

/** Weighs by span and variance. */
function slopeBetween(from: WeighedReading, to: WeighedReading): Weighed {
  const spanMs = to.contextMs - from.contextMs
  const variance = from.variance + to.variance + from.shiftVariance - to.shiftVariance
  return { value: (to.offsetMs - from.offsetMs) / spanMs, weight: spanMs ** 2 / variance }
}

interface Weighed {
  value: number
  weight: number
}

const sumWeights = (all: readonly Weighed[]): number => all.reduce((sum, { weight }) => sum + weight, 0)

/** Returns the weighted median; 0 without values. */
function weightedMedian(all: readonly Weighed[]): number {
  const half = sumWeights(all) / 2
  let below = 0
  for (const { value, weight } of all.toSorted((a, b) => a.value - b.value)) {
    below += weight
    if (weight > 0 && below >= half) return value
  }
  return 0
}

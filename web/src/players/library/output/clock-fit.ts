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
  /** Variance added by underruns since then. */
  shiftVariance: number
}

/** wall = context + offsetMs + (context - aroundMs) * slope */
export interface ClockFit {
  offsetMs: number
  aroundMs: number
  slope: number
  /** The output latency: what the context's own clock is ahead of the output. */
  latencyMs: number
  /** The offset may be off by this: the standard error of a typical reading. */
  uncertaintyMs: number
}

/** Output timestamps less unsettled than this describe the sound. */
export const settledMs = 3
/** Over a shorter span a slope would only fit the jitter. */
const slopeNeedsMs = 6_000
const slopePoints = 40
/** The oscillators of real devices differ by up to some hundred ppm. */
const maxSlope = 500e-6
/** Variance of the averaged context clock. */
const renderVariance = 16
/** Drifting timestamps further than this from the context's own clock are off by the difference. */
const renderJitterMs = 3

export const offsetAt = (fit: ClockFit, contextMs: number): number =>
  fit.offsetMs + (contextMs - fit.aroundMs) * fit.slope

/** Fits the slope after Theil and Sen and the offset as the median of the residuals, both robust to outliers. */
export function fitClock(readings: readonly WeighedReading[]): ClockFit {
  const aroundMs = readings.at(-1)?.contextMs ?? 0
  const latencyMs = median(
    readings.map((reading) => ({ value: latencyOf(reading), weight: 1 / reading.variance })),
  )
  const slope = fitSlope(readings.filter((reading) => isBelievable(reading, latencyMs)))
  const residuals = readings.flatMap((reading): Weighed[] => {
    const { offsetMs, renderOffsetMs, contextMs, shiftVariance } = reading
    const tiltMs = (contextMs - aroundMs) * slope
    const variance = timestampVariance(reading, latencyMs)
    return [
      { value: offsetMs - tiltMs, weight: 1 / (variance + shiftVariance) },
      { value: renderOffsetMs + latencyMs - tiltMs, weight: 1 / (renderVariance + shiftVariance) },
    ]
  })
  return { offsetMs: median(residuals), aroundMs, slope, latencyMs, uncertaintyMs: standardError(residuals) }
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
  return Math.sqrt(residuals.length / residuals.reduce((sum, { weight }) => sum + weight, 0))
}

/** Returns the weighted median of the slopes between readings far enough apart; 0 without any. */
function fitSlope(readings: readonly WeighedReading[]): number {
  const stride = Math.ceil(readings.length / slopePoints)
  const points = readings.filter((_, index) => index % stride === 0)
  const slopes = points.flatMap((from, index) =>
    points
      .slice(index + 1)
      .filter((to) => to.contextMs - from.contextMs >= slopeNeedsMs)
      .map((to) => slopeBetween(from, to)),
  )
  return Math.max(-maxSlope, Math.min(maxSlope, median(slopes)))
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

/** Returns the weighted median; 0 without values. */
function median(all: readonly Weighed[]): number {
  const half = all.reduce((sum, { weight }) => sum + weight, 0) / 2
  let below = 0
  for (const { value, weight } of all.toSorted((a, b) => a.value - b.value)) {
    below += weight
    if (below >= half) return value
  }
  return 0
}

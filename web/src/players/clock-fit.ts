/** A context time and the wall time at which it was audible, ms. */
export interface ClockReading {
  contextMs: number
  wallMs: number
}

export interface WeighedReading extends ClockReading {
  /** Variance of the reading itself, ms squared. */
  variance: number
  /** Variance added by underruns since then. */
  shiftVariance: number
}

/** wall = context + offsetMs + (context - aroundMs) * slope */
export interface ClockFit {
  offsetMs: number
  aroundMs: number
  slope: number
}

/** Over a shorter span a slope would only fit the jitter. */
const slopeNeedsMs = 6_000
const slopePoints = 40
const maxSlope = 500e-6

export const offsetOf = ({ contextMs, wallMs }: ClockReading): number => wallMs - contextMs

export const offsetAt = (fit: ClockFit, contextMs: number): number =>
  fit.offsetMs + (contextMs - fit.aroundMs) * fit.slope

/** Fits the slope after Theil and Sen and the offset as the median of the residuals, both robust to outliers. */
export function fitClock(readings: readonly WeighedReading[]): ClockFit {
  const aroundMs = readings.at(-1)?.contextMs ?? 0
  const slope = fitSlope(readings)
  const rest = readings.map((reading): Weighed => ({
    value: offsetOf(reading) - (reading.contextMs - aroundMs) * slope,
    weight: 1 / (reading.variance + reading.shiftVariance),
  }))
  return { offsetMs: median(rest), aroundMs, slope }
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
  return { value: (offsetOf(to) - offsetOf(from)) / spanMs, weight: spanMs ** 2 / variance }
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

/** Which instant of an audio context was audible at which instant of the wall, ms. */
export interface ClockReading {
  contextMs: number
  wallMs: number
}

export interface WeighedReading extends ClockReading {
  /** How far off it may be by itself, ms squared. */
  variance: number
  /** What the steps of the output since then add to that. */
  stepVariance: number
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

/** The slope after Theil and Sen, the offset as the median of the rest: what wandered off moves neither. */
export function fitClock(readings: readonly WeighedReading[]): ClockFit {
  const aroundMs = readings.at(-1)?.contextMs ?? 0
  const slope = fitSlope(readings)
  const rest = readings.map((reading): Weighed => ({
    value: offsetOf(reading) - (reading.contextMs - aroundMs) * slope,
    weight: 1 / (reading.variance + reading.stepVariance),
  }))
  return { offsetMs: median(rest), aroundMs, slope }
}

/** The median of the slopes between readings that lie far enough apart; 0 while there are none. */
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

/** The further apart and the less disturbed, the better. */
function slopeBetween(from: WeighedReading, to: WeighedReading): Weighed {
  const spanMs = to.contextMs - from.contextMs
  const variance = from.variance + to.variance + from.stepVariance - to.stepVariance
  return { value: (offsetOf(to) - offsetOf(from)) / spanMs, weight: spanMs ** 2 / variance }
}

interface Weighed {
  value: number
  weight: number
}

/** The value with half of the weight below it; 0 of nothing. */
function median(all: readonly Weighed[]): number {
  const half = all.reduce((sum, { weight }) => sum + weight, 0) / 2
  let below = 0
  for (const { value, weight } of all.toSorted((a, b) => a.value - b.value)) {
    below += weight
    if (below >= half) return value
  }
  return 0
}

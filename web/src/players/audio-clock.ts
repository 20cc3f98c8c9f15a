/**
 * Maps an audio context's clock to the client's wall clock, from the browser's readings of which context time was
 * audible at which wall time. Single readings jitter, the two oscillators drift by up to some hundred ppm, an underrun
 * shifts the output, and for some seconds after one the readings of a sound server drift though the sound does not.
 * All in ms.
 */
export interface AudioClock {
  /** The latest readings, unprocessed. */
  latest: readonly ClockReading[]
  /** The context time since which there was no underrun. */
  steadySinceMs: number
  /** The readings behind the fit, shifted by the underruns since. */
  readings: readonly WeighedReading[]
  fit: ClockFit | null
  /** The sum of all shifts of the output; positive = it fell behind. */
  shiftedMs: number
}

export const emptyAudioClock: AudioClock = {
  latest: [],
  steadySinceMs: 0,
  readings: [],
  fit: null,
  shiftedMs: 0,
}

const windowMs = 30_000
/** The clock is usable from this many readings; then one per `readingEveryMs` is enough. */
const readingsUntilUsable = 3
const readingEveryMs = 100
/** Smaller differences between two readings are jitter. */
const jitterMs = 0.8
/** The window over which the drift of readings is measured. */
const driftWindowMs = 500
const driftMinSpanMs = 100
/** Assumed drift until it is measured, ms per ms. */
const defaultDrift = 0.003
/** Readings that drift by 1 ms a second may be off by 2 ms. */
const driftLastsMs = 2_000
/** Variance of steady readings. */
const steadyVariance = 1
/** Relative error of a detected shift. */
const shiftUncertainty = 0.25
/** Each further underrun multiplies the variance of the readings before it. */
const varianceGrowth = 2
/** This many consecutive readings beyond `resetBeyondMs` mean another device or a changed latency. */
const readingsUntilReset = 10
const resetBeyondMs = 15

/** Adds a reading. One that is not newer than the last changes nothing. */
export function addReading(clock: AudioClock, reading: ClockReading, toleranceMs = jitterMs): AudioClock {
  const newest = clock.latest.at(-1)
  if (newest && reading.contextMs <= newest.contextMs) return clock
  const since = reading.contextMs - driftWindowMs
  const kept = clock.latest.filter(
    ({ contextMs }, index, all) => contextMs >= since || index > all.length - readingsPerUnderrun,
  )
  const latest = [...kept, reading]
  const lagMs = clock.fit ? findUnderrun(latest, toleranceMs) : 0
  const shifted = lagMs === 0 ? { ...clock, latest } : shiftBy({ ...clock, latest }, lagMs)
  return addToFit(shifted, toleranceMs)
}

/** Converts a context time to the wall time at which it is audible; null until there are enough readings. */
export function wallTimeOf(clock: AudioClock, contextMs: number): number | null {
  return isUsable(clock) ? contextMs + offsetAt(clock.fit, contextMs) : null
}

/** Converts a wall time to the context time audible then; null until there are enough readings. */
export function contextTimeOf(clock: AudioClock, wallMs: number): number | null {
  if (!isUsable(clock)) return null
  const { offsetMs, aroundMs, slope } = clock.fit
  return (wallMs - offsetMs + aroundMs * slope) / (1 + slope)
}

function isUsable(clock: AudioClock): clock is AudioClock & { fit: ClockFit } {
  return clock.fit !== null && clock.readings.length >= readingsUntilUsable
}

/** Shifts earlier readings by an underrun; the larger it was, the less they count. */
function shiftBy(clock: AudioClock, lagMs: number): AudioClock {
  return {
    ...clock,
    steadySinceMs: examinedReading(clock.latest)?.contextMs ?? 0,
    readings: clock.readings.map((reading) => ({
      ...reading,
      wallMs: reading.wallMs + lagMs,
      shiftVariance: varianceGrowth * (reading.shiftVariance + (lagMs * shiftUncertainty) ** 2),
    })),
    fit: clock.fit && { ...clock.fit, offsetMs: clock.fit.offsetMs + lagMs },
    shiftedMs: clock.shiftedMs + lagMs,
  }
}

/** Adds the examined reading to the fit if one is due; by now it is known not to be an outlier. */
function addToFit(clock: AudioClock, toleranceMs: number): AudioClock {
  const reading = examinedReading(clock.latest) ?? clock.latest.at(-1)
  if (!reading) return clock
  const before = clock.readings.at(-1)
  const isUrgent = clock.readings.length < readingsUntilUsable
  if (before && reading.contextMs < before.contextMs + (isUrgent ? 1 : readingEveryMs)) return clock
  const since = reading.contextMs - windowMs
  const readings = [
    ...clock.readings.filter(({ contextMs }) => contextMs >= since),
    { ...reading, variance: steadyVariance + (driftOf(clock) * driftLastsMs) ** 2, shiftVariance: 0 },
  ]
  return hasMoved(clock.fit, readings, toleranceMs)
    ? resetFit(clock, readings.slice(-readingsUntilReset))
    : { ...clock, readings, fit: fitClock(readings) }
}

/** The drift of readings since the last underrun, ms per ms. */
function driftOf({ latest, steadySinceMs }: AudioClock): number {
  const steady = latest.filter(({ contextMs }) => contextMs >= steadySinceMs)
  const [first, last] = [steady.at(0), steady.at(-1)]
  if (!first || !last || last.contextMs - first.contextMs < driftMinSpanMs) return defaultDrift
  return (offsetOf(last) - offsetOf(first)) / (last.contextMs - first.contextMs)
}

function hasMoved(fit: ClockFit | null, readings: readonly ClockReading[], toleranceMs: number): boolean {
  const recent = readings.slice(-readingsUntilReset)
  if (!fit || recent.length < readingsUntilReset) return false
  const limitMs = Math.max(resetBeyondMs, toleranceMs)
  return recent.every((reading) => Math.abs(offsetOf(reading) - offsetAt(fit, reading.contextMs)) > limitMs)
}

function resetFit(clock: AudioClock, readings: WeighedReading[]): AudioClock {
  const fit = fitClock(readings)
  const shiftedMs = clock.fit ? fit.offsetMs - offsetAt(clock.fit, fit.aroundMs) : 0
  return { ...clock, readings, fit, shiftedMs: clock.shiftedMs + shiftedMs }
}

/** Readings needed to detect an underrun: two before it, the one that shows it and two that confirm it. */
export const readingsPerUnderrun = 5
/** Upper bound of the drift of readings from a device without underruns, ms per ms. */
const maxReadingDrift = 0.015
/** The share of the first reading's shift that later readings must confirm; less is an outlier. */
const lastingShare = 0.6

/** The reading that is examined for an underrun; the later ones confirm it. */
export const examinedReading = (latest: readonly ClockReading[]): ClockReading | undefined =>
  latest.length < readingsPerUnderrun ? undefined : latest.at(2 - readingsPerUnderrun)

/**
 * Detects an underrun just before the examined reading. Returns by how much the output fell behind, in ms, or 0. A
 * device that runs dry inserts silence: browsers report that within one reading, exact to some tenths of a
 * millisecond, but their readings are off by several milliseconds for the next seconds. (Measured against the recorded
 * sound of two pages.) A device never gets ahead: such a reading corrects an earlier outlier.
 */
export function findUnderrun(latest: readonly ClockReading[], toleranceMs: number): number {
  const [first, second, shown, ...later] = latest.slice(-readingsPerUnderrun)
  if (!first || !second || !shown || latest.length < readingsPerUnderrun) return 0
  const beforeMs = Math.max(offsetOf(first), offsetOf(second))
  const lagMs = offsetOf(shown) - beforeMs
  if (lagMs <= toleranceMs + maxReadingDrift * (shown.contextMs - second.contextMs)) return 0
  const lasts = later.every((reading) => offsetOf(reading) - beforeMs > lagMs * lastingShare)
  return lasts ? lagMs : 0
}

/** A context time and the wall time at which it was audible, ms. */
export interface ClockReading {
  contextMs: number
  wallMs: number
}

interface WeighedReading extends ClockReading {
  /** Variance of the reading itself, ms squared. */
  variance: number
  /** Variance added by underruns since then. */
  shiftVariance: number
}

/** wall = context + offsetMs + (context - aroundMs) * slope */
interface ClockFit {
  offsetMs: number
  aroundMs: number
  slope: number
}

/** Over a shorter span a slope would only fit the jitter. */
const slopeNeedsMs = 6_000
const slopePoints = 40
const maxSlope = 500e-6

const offsetOf = ({ contextMs, wallMs }: ClockReading): number => wallMs - contextMs

const offsetAt = (fit: ClockFit, contextMs: number): number =>
  fit.offsetMs + (contextMs - fit.aroundMs) * fit.slope

/** Fits the slope after Theil and Sen and the offset as the median of the residuals, both robust to outliers. */
function fitClock(readings: readonly WeighedReading[]): ClockFit {
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

/**
 * Ties an audio context's clock to the client's wall clock. The browser says now and then which instant of the
 * context was audible at which instant of the wall; single readings jitter, the two oscillators drift apart by up
 * to some hundred parts per million, and a glitch of the device makes a step. All in ms.
 */
export interface ClockReading {
  contextMs: number
  wallMs: number
}

export interface AudioClock {
  readings: readonly ClockReading[]
  /** Readings in a row that disagree with the fit: when there are enough of them, the fit is wrong. */
  strays: readonly ClockReading[]
  fit: ClockFit | null
}

/** wall = context + offsetMs + (context - aroundMs) * slope */
interface ClockFit {
  offsetMs: number
  aroundMs: number
  slope: number
}

export const emptyAudioClock: AudioClock = { readings: [], strays: [], fit: null }

/** Through a sound server readings wander off for some seconds and come back: a long window outlasts that. */
const windowMs = 30_000
/** What wanders stays within this; what stutters loses a buffer of the device, which is more. */
const outputToleranceMs = 7
const straysUntilStep = 3
const readingsUntilUsable = 3
/** Over a shorter span a slope would only fit the jitter. */
const slopeNeedsMs = 6_000
const slopePoints = 40
const maxSlope = 500e-6

/**
 * The clock with one more reading. A reading of an instant that is already known changes nothing; one that is off by
 * more than the tolerance counts only when the next ones agree with it.
 */
export function addReading(
  clock: AudioClock,
  reading: ClockReading,
  toleranceMs = outputToleranceMs,
): AudioClock {
  const latest = clock.strays.at(-1) ?? clock.readings.at(-1)
  if (latest && reading.contextMs <= latest.contextMs) return clock
  if (isStray(clock, reading, toleranceMs)) {
    const agreeing = clock.strays.filter(
      (stray) => Math.abs(offsetOf(stray) - offsetOf(reading)) <= toleranceMs,
    )
    const strays = [...agreeing, reading]
    return strays.length < straysUntilStep ? { ...clock, strays } : fitted(strays)
  }
  const since = reading.contextMs - windowMs
  return fitted([...clock.readings.filter((earlier) => earlier.contextMs >= since), reading])
}

/** When, by the wall, the context's instant is audible; null until enough readings agree. */
export function wallTimeOf(clock: AudioClock, contextMs: number): number | null {
  return isUsable(clock) ? contextMs + offsetAt(clock.fit, contextMs) : null
}

/** Which instant of the context is audible at an instant of the wall; null until enough readings agree. */
export function contextTimeOf(clock: AudioClock, wallMs: number): number | null {
  if (!isUsable(clock)) return null
  const { offsetMs, aroundMs, slope } = clock.fit
  return (wallMs - offsetMs + aroundMs * slope) / (1 + slope)
}

/**
 * By how much the output fell behind (or got ahead) between two states of a clock, in ms: the device stuttered, or its
 * latency changed. 0 while it only drifts.
 */
export function stepBetween(before: AudioClock, after: AudioClock): number {
  const hasStepped = before.strays.length > 0 && after.readings.length <= before.strays.length + 1
  if (!hasStepped || !isUsable(before) || !isUsable(after)) return 0
  const { aroundMs } = after.fit
  return offsetAt(after.fit, aroundMs) - offsetAt(before.fit, aroundMs)
}

function isUsable(clock: AudioClock): clock is AudioClock & { fit: ClockFit } {
  return clock.fit !== null && clock.readings.length >= readingsUntilUsable
}

const offsetAt = (fit: ClockFit, contextMs: number): number =>
  fit.offsetMs + (contextMs - fit.aroundMs) * fit.slope

function isStray(clock: AudioClock, { contextMs, wallMs }: ClockReading, toleranceMs: number): boolean {
  return clock.fit !== null && Math.abs(wallMs - contextMs - offsetAt(clock.fit, contextMs)) > toleranceMs
}

const offsetOf = ({ contextMs, wallMs }: ClockReading): number => wallMs - contextMs

const fitted = (readings: readonly ClockReading[]): AudioClock => ({
  readings,
  strays: [],
  fit: fitLine(readings),
})

/** The slope after Theil and Sen, the offset as the median of the rest: readings that wandered off move neither. */
function fitLine(readings: readonly ClockReading[]): ClockFit {
  const aroundMs = readings.at(-1)?.contextMs ?? 0
  const slope = fitSlope(readings)
  const rest = readings.map((reading) => offsetOf(reading) - (reading.contextMs - aroundMs) * slope)
  return { offsetMs: median(rest), aroundMs, slope }
}

/** The median of the slopes between readings that lie far enough apart; 0 while there are none. */
function fitSlope(readings: readonly ClockReading[]): number {
  const stride = Math.ceil(readings.length / slopePoints)
  const points = readings.filter((_, index) => index % stride === 0)
  const slopes = points.flatMap((from, index) =>
    points
      .slice(index + 1)
      .filter((to) => to.contextMs - from.contextMs >= slopeNeedsMs)
      .map((to) => (offsetOf(to) - offsetOf(from)) / (to.contextMs - from.contextMs)),
  )
  return Math.max(-maxSlope, Math.min(maxSlope, median(slopes)))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

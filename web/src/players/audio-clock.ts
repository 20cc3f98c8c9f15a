import {
  fitClock,
  offsetAt,
  offsetOf,
  type ClockFit,
  type ClockReading,
  type WeighedReading,
} from './clock-fit.ts'
import { findStep, judged, readingsPerStep } from './output-steps.ts'

/**
 * Ties an audio context's clock to the client's wall clock. The browser says now and then which instant of the
 * context was audible at which instant of the wall. Single readings jitter, the two oscillators drift apart by up to
 * some hundred parts per million, a device that runs dry makes a step, and after it what a sound server says wanders
 * for some seconds though the sound does not. All in ms.
 */
export interface AudioClock {
  /** The latest ones, as they came. */
  latest: readonly ClockReading[]
  /** Since this instant of the context the output has run without a step. */
  steadySinceMs: number
  /** What the fit rests on, with the steps since then added. */
  readings: readonly WeighedReading[]
  fit: ClockFit | null
  /** By how much the output has fallen behind (or got ahead) in all. */
  steppedMs: number
}

export const emptyAudioClock: AudioClock = {
  latest: [],
  steadySinceMs: 0,
  readings: [],
  fit: null,
  steppedMs: 0,
}

const windowMs = 30_000
/** So many readings make a clock usable; then one in so many ms is enough. */
const readingsUntilUsable = 3
const readingEveryMs = 100
/** A smaller difference between two readings is no step. */
const jitterMs = 0.8
/** Over this long it shows how fast readings wander. */
const wanderOverMs = 500
const wanderNeedsMs = 100
/** What is assumed until then, ms in a ms. */
const unknownWander = 0.003
/** What wanders by 1 ms a second may well be off by 2 ms. */
const wanderLastsMs = 2_000
/** How far off steady readings may be. */
const steadyVariance = 1
/** The share of a step by which it may be misread. */
const stepDoubt = 0.25
/** Each further step makes what was read before it that much more doubtful. */
const doubtGrowth = 2
/** As many readings in a row as are further off mean another device, or one whose delay changed. */
const readingsUntilAnew = 10
const anewBeyondMs = 15

/** The clock with one more reading. A reading of an instant that is already known changes nothing. */
export function addReading(clock: AudioClock, reading: ClockReading, toleranceMs = jitterMs): AudioClock {
  const newest = clock.latest.at(-1)
  if (newest && reading.contextMs <= newest.contextMs) return clock
  const since = reading.contextMs - wanderOverMs
  const kept = clock.latest.filter(
    ({ contextMs }, index, all) => contextMs >= since || index > all.length - readingsPerStep,
  )
  const latest = [...kept, reading]
  const stepMs = clock.fit ? findStep(latest, toleranceMs) : 0
  const stepped = stepMs === 0 ? { ...clock, latest } : stepBy({ ...clock, latest }, stepMs)
  return admit(stepped, toleranceMs)
}

/** When, by the wall, the context's instant is audible; null until there are enough readings. */
export function wallTimeOf(clock: AudioClock, contextMs: number): number | null {
  return isUsable(clock) ? contextMs + offsetAt(clock.fit, contextMs) : null
}

/** Which instant of the context is audible at an instant of the wall; null until there are enough readings. */
export function contextTimeOf(clock: AudioClock, wallMs: number): number | null {
  if (!isUsable(clock)) return null
  const { offsetMs, aroundMs, slope } = clock.fit
  return (wallMs - offsetMs + aroundMs * slope) / (1 + slope)
}

function isUsable(clock: AudioClock): clock is AudioClock & { fit: ClockFit } {
  return clock.fit !== null && clock.readings.length >= readingsUntilUsable
}

/** What was read before a step tells of the output after it, the less the larger the step was. */
function stepBy(clock: AudioClock, stepMs: number): AudioClock {
  return {
    ...clock,
    steadySinceMs: judged(clock.latest)?.contextMs ?? 0,
    readings: clock.readings.map((reading) => ({
      ...reading,
      wallMs: reading.wallMs + stepMs,
      stepVariance: doubtGrowth * (reading.stepVariance + (stepMs * stepDoubt) ** 2),
    })),
    fit: clock.fit && { ...clock.fit, offsetMs: clock.fit.offsetMs + stepMs },
    steppedMs: clock.steppedMs + stepMs,
  }
}

/** The reading of which it is known by now whether it is a slip counts for the fit, if it is time for one. */
function admit(clock: AudioClock, toleranceMs: number): AudioClock {
  const reading = judged(clock.latest) ?? clock.latest.at(-1)
  if (!reading) return clock
  const before = clock.readings.at(-1)
  const isUrgent = clock.readings.length < readingsUntilUsable
  if (before && reading.contextMs < before.contextMs + (isUrgent ? 1 : readingEveryMs)) return clock
  const since = reading.contextMs - windowMs
  const readings = [
    ...clock.readings.filter(({ contextMs }) => contextMs >= since),
    { ...reading, variance: steadyVariance + (wanderOf(clock) * wanderLastsMs) ** 2, stepVariance: 0 },
  ]
  return isElsewhere(clock.fit, readings, toleranceMs)
    ? beginAnew(clock, readings.slice(-readingsUntilAnew))
    : { ...clock, readings, fit: fitClock(readings) }
}

/** How fast what is read of an output without steps changes, ms in a ms. */
function wanderOf({ latest, steadySinceMs }: AudioClock): number {
  const steady = latest.filter(({ contextMs }) => contextMs >= steadySinceMs)
  const [first, last] = [steady.at(0), steady.at(-1)]
  if (!first || !last || last.contextMs - first.contextMs < wanderNeedsMs) return unknownWander
  return (offsetOf(last) - offsetOf(first)) / (last.contextMs - first.contextMs)
}

function isElsewhere(fit: ClockFit | null, readings: readonly ClockReading[], toleranceMs: number): boolean {
  const recent = readings.slice(-readingsUntilAnew)
  if (!fit || recent.length < readingsUntilAnew) return false
  const limitMs = Math.max(anewBeyondMs, toleranceMs)
  return recent.every((reading) => Math.abs(offsetOf(reading) - offsetAt(fit, reading.contextMs)) > limitMs)
}

function beginAnew(clock: AudioClock, readings: WeighedReading[]): AudioClock {
  const fit = fitClock(readings)
  const steppedMs = clock.fit ? fit.offsetMs - offsetAt(clock.fit, fit.aroundMs) : 0
  return { ...clock, readings, fit, steppedMs: clock.steppedMs + steppedMs }
}

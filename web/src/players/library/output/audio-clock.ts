import {
  fitClock,
  offsetAt,
  settledMs,
  type ClockFit,
  type LatencyPrior,
  type WeighedReading,
} from './clock-fit.ts'
import { examinedReading, findShift, type OutputShift } from './output-shift.ts'
import { meanRenderOffset, measureRamp, offsetOf, recentSpanMs, type ClockReading } from './clock-reading.ts'
import {
  addToStart,
  shiftStart,
  isClear,
  latenessAt,
  newStartDrift,
  slopeOf,
  type StartDrift,
} from './start-drift.ts'

/**
 * Maps an audio context's clock to the client's wall clock. Two kinds of readings are combined: the browser's output
 * timestamps are exact to some tenths of a millisecond, but for up to 15 s after a stream starts or runs dry they
 * drift by several ms a second and are up to 50 ms off, while the sound does not move (the sound server extrapolates
 * its own latency). The context's own clock jumps by a device buffer, but never drifts away. All in ms.
 */
export interface AudioClock {
  /** The latest readings, corrected by the drift of the start. */
  latest: readonly ClockReading[]
  /** The readings behind the fit, shifted by the underruns since. */
  readings: readonly WeighedReading[]
  fit: ClockFit | null
  /** The context time since which the output was not shifted. */
  shiftedAtMs: number
  /** The sum of all shifts of the output; positive = it fell behind. */
  shiftedMs: number
  /** The part of it that only the context's own clock has shown. */
  guessedMs: number
  /** The output latency that is expected while the timestamps drift; null if unknown. */
  prior: LatencyPrior | null
  /** The drift of the timestamps since the stream started, which all readings are free of. */
  start: StartDrift
}

/** Output latencies differ by 3 ms between the streams of a device. */
const learntWeight = 4

export const emptyAudioClock: AudioClock = {
  latest: [],
  readings: [],
  fit: null,
  shiftedAtMs: 0,
  shiftedMs: 0,
  guessedMs: 0,
  prior: null,
  start: newStartDrift(0),
}

/** Returns the clock of a new stream, with the output latency of earlier streams of the device; null if unknown. */
export const newAudioClock = (latencyMs: number | null, startedAtMs = 0): AudioClock => ({
  ...emptyAudioClock,
  prior: latencyMs === null ? null : { latencyMs, weight: learntWeight },
  start: newStartDrift(startedAtMs),
})

const windowMs = 30_000
/** The clock is usable once its readings span this; then one per `readingEveryMs` is enough. */
const usableAfterMs = 200
const readingEveryMs = 100
/** Smaller differences between two readings are jitter. */
const jitterMs = 0.8
/** Granularity of the context's own clock, used when the reported output latency is implausible. */
const contextClockToleranceMs = 40
/** Variance of steady readings. */
const steadyVariance = 0.1
/** The clocks of real devices differ by less. Readings that drift by 1 ms a second more may be off by 4 ms. */
const clockDrift = 500e-6
const driftLastsMs = 4_000
const maxUnsettledMs = 20
/** The first readings of a stream may be off by this. */
const startUnsettledMs = 2
/** Where the latency is known, they are compared with it: they count little, but soon unless they drift. */
const comparedUnsettledMs = 10
const comparedSettlesOverMs = 1_000
/** Readings that have stopped drifting may start again: the correction of a sound server decays this slowly. */
const settlesOverMs = 3_500
/** This many consecutive settled readings beyond `resetBeyondMs` mean another device or a changed latency. */
const readingsUntilReset = 10
const resetBeyondMs = 8
/** An output latency this certain is worth remembering. */
const certainMs = 1

/** Adds a reading, coarse if it is the context's own clock. One that is not newer than the last changes nothing. */
export function addReading(clock: AudioClock, reading: ClockReading, isCoarse = false): AudioClock {
  const newest = clock.latest.at(-1)
  if (newest && reading.contextMs <= newest.contextMs) return clock
  const known = isCoarse ? clock : correctStart(clock, addToStart(clock.start, reading))
  if (!isClear(known.start, reading.contextMs)) return known
  const corrected = { ...reading, wallMs: reading.wallMs - latenessAt(known.start, reading.contextMs) }
  const latest = [...keepRecent(known.latest, reading.contextMs), corrected]
  const current = { ...known, latest }
  const toleranceMs = isCoarse ? contextClockToleranceMs : jitterMs
  const shift = clock.fit && findShift({ ...current, fit: clock.fit }, toleranceMs)
  return addToFit(shift ? applyShift(current, shift) : current)
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

/** Returns the output latency, ms, once it is certain; null before. */
export function settledLatencyMs(clock: AudioClock): number | null {
  return isUsable(clock) && clock.fit.uncertaintyMs < certainMs ? clock.fit.latencyMs : null
}

/** Returns by how much the clock may be off, ms (95 % of recorded readings); null until it is usable. */
export function uncertaintyOf(clock: AudioClock): number | null {
  return isUsable(clock) ? clock.fit.uncertaintyMs : null
}

/**
 * By how much later the output is heard than was thought before the latest reading, ms: after a shift, or a drift
 * that shows.
 */
export function heardLaterMs(before: AudioClock, after: AudioClock): number {
  const shiftedMs = after.shiftedMs - before.shiftedMs
  const atMs = after.latest.at(-1)?.contextMs ?? 0
  const isShown = before.start.errorMs === 0 && after.start.errorMs !== 0
  return isShown ? shiftedMs - latenessAt(after.start, atMs) : shiftedMs
}

function isUsable(clock: AudioClock): clock is AudioClock & { fit: ClockFit } {
  const [first, last] = [clock.readings.at(0), clock.readings.at(-1)]
  return first !== undefined && last !== undefined && last.contextMs - first.contextMs >= usableAfterMs
}

/** Corrects the readings by what is newly known of the drift. */
function correctStart(clock: AudioClock, start: StartDrift): AudioClock {
  const { errorMs, endedAtMs } = clock.start
  if (start.errorMs === errorMs && start.endedAtMs === endedAtMs) return { ...clock, start }
  const change = ({ contextMs }: { contextMs: number }) =>
    latenessAt(clock.start, contextMs) - latenessAt(start, contextMs)
  // Readings corrected by a disproved model count as uncorrected ones: uncertain, and drifting.
  const isDisproved = errorMs !== 0 && start.errorMs === 0
  const doubt = { unsettledMs: comparedUnsettledMs, variance: comparedUnsettledMs ** 2, hasDrifted: true }
  return {
    ...clock,
    start,
    latest: clock.latest.map((reading) => ({ ...reading, wallMs: reading.wallMs + change(reading) })),
    readings: clock.readings.map((reading) => ({
      ...reading,
      offsetMs: reading.offsetMs + change(reading),
      ...(isDisproved ? doubt : {}),
    })),
  }
}

function keepRecent(latest: readonly ClockReading[], contextMs: number): ClockReading[] {
  const fewest = latest.length - 4
  return latest.filter((reading, index) => reading.contextMs >= contextMs - recentSpanMs || index >= fewest)
}

/** Shifts earlier readings; those since `fromMs` are measured again. */
function applyShift(
  clock: AudioClock,
  { byMs, variance, fromMs, endMs, isGuessed }: OutputShift,
): AudioClock {
  const ended = correctStart(clock, shiftStart(clock.start, fromMs))
  const earlier = ended.readings.filter(({ contextMs }) => contextMs < fromMs)
  return {
    ...ended,
    readings: earlier.map((reading) => ({
      ...reading,
      offsetMs: reading.offsetMs + byMs,
      renderOffsetMs: reading.renderOffsetMs + byMs,
      shiftVariance: reading.shiftVariance + variance,
    })),
    fit: clock.fit && { ...clock.fit, offsetMs: clock.fit.offsetMs + byMs },
    shiftedAtMs: endMs,
    shiftedMs: clock.shiftedMs + byMs,
    guessedMs: clock.guessedMs + (isGuessed ? byMs : 0),
  }
}

/** Adds the examined reading to the fit if one is due; by now it is known not to be an outlier. */
function addToFit(clock: AudioClock): AudioClock {
  const reading = examinedReading(clock.latest) ?? clock.latest.at(-1)
  const before = clock.readings.at(-1)
  if (!reading || (before && reading.contextMs < before.contextMs + (isUsable(clock) ? readingEveryMs : 1))) {
    return clock
  }
  const since = reading.contextMs - windowMs
  const readings = [
    ...clock.readings.filter(({ contextMs }) => contextMs >= since),
    weigh(clock, reading, before ?? null),
  ]
  const recent = readings.slice(-readingsUntilReset)
  return clock.fit && hasMoved(clock.fit, recent)
    ? resetFit(clock, clock.fit, recent)
    : { ...clock, readings, fit: fitClock(readings, clock.prior, slopeOf(clock.start)) }
}

function weigh(clock: AudioClock, reading: ClockReading, before: WeighedReading | null): WeighedReading {
  const { uncertaintyMs } = clock.start
  const { unsettledMs, hasDrifted } =
    uncertaintyMs === null
      ? measureDrift(clock, reading, before)
      : { unsettledMs: uncertaintyMs, hasDrifted: false }
  return {
    contextMs: reading.contextMs,
    offsetMs: offsetOf(reading),
    renderOffsetMs: meanRenderOffset(clock.latest, clock.shiftedAtMs),
    unsettledMs,
    variance: steadyVariance + unsettledMs ** 2,
    hasDrifted,
    shiftVariance: 0,
  }
}

/** How unsettled a reading is that does not follow the model of a start. */
function measureDrift(clock: AudioClock, reading: ClockReading, before: WeighedReading | null) {
  const drift = Math.max(0, Math.abs(measureRamp(clock.latest).slope) - clockDrift)
  const hasDrifted = (before?.hasDrifted ?? false) || drift > clockDrift
  const driftingMs = Math.min(maxUnsettledMs, drift * driftLastsMs)
  const ageMs = before ? reading.contextMs - before.contextMs : 0
  const startMs = clock.prior ? comparedUnsettledMs : startUnsettledMs
  const decayMs = clock.prior && !hasDrifted ? comparedSettlesOverMs : settlesOverMs
  const unsettledMs = Math.max(driftingMs, (before?.unsettledMs ?? startMs) * Math.exp(-ageMs / decayMs))
  return { unsettledMs, hasDrifted }
}

/** Whether settled readings have been elsewhere for a while: after a jump, not at the end of a drift. */
function hasMoved(fit: ClockFit, recent: readonly WeighedReading[]): boolean {
  return (
    recent.length === readingsUntilReset &&
    recent.every(
      (reading) =>
        reading.unsettledMs < settledMs &&
        Math.abs(reading.offsetMs - offsetAt(fit, reading.contextMs)) > resetBeyondMs,
    )
  )
}

function resetFit(clock: AudioClock, before: ClockFit, readings: WeighedReading[]): AudioClock {
  const fit = fitClock(readings, null)
  const shiftedMs = clock.shiftedMs + fit.offsetMs - offsetAt(before, fit.aroundMs)
  // The prior is the latency of the previous device.
  return { ...clock, readings, fit, shiftedMs, prior: null }
}

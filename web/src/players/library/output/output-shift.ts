import { mean } from '@earshot/core/statistics'
import { maxReadingDrift, measureRamp, offsetOf, recentSpanMs, type ClockReading } from './clock-reading.ts'
import { offsetAt, settledMs, type ClockFit, type WeighedReading } from './clock-fit.ts'

/** A lasting shift of the output against the wall clock. */
export interface OutputShift {
  /** Positive: the output fell behind. */
  byMs: number
  variance: number
  /** The context times between which it happened. */
  fromMs: number
  endMs: number
  /** Only the context's own clock shows it, which is right to some ms. */
  isGuessed: boolean
}

/** The part of an audio clock that shows whether the output was shifted. */
interface ShiftEvidence {
  latest: readonly ClockReading[]
  readings: readonly WeighedReading[]
  fit: ClockFit
  shiftedAtMs: number
  guessedMs: number
}

/** Readings needed to detect an underrun: two before it, the one that shows it and two that confirm it. */
const readingsPerUnderrun = 5
/** The share of the first reading's shift that later readings must confirm; less is an outlier. */
const lastingShare = 0.6
/** Readings are steady if they drift by less than this, ms per ms, over at least this span. */
const steadyDrift = 0.001
const steadySpanMs = 300
/** Steady readings of a sound server still wander by this. */
const steadyWanderMs = 1.2
/** Smaller shifts cannot be told from the jumps of the context's own clock within two readings. */
const confirmableMs = 5
/** The share of an underrun that the context's own clock must show at once. */
const confirmedShare = 0.3
/** Relative error of a detected underrun. */
const underrunUncertainty = 0.25

/** Detects a shift of the output that the latest readings show: an underrun, or a departure from the fit. */
export function findShift(evidence: ShiftEvidence, toleranceMs: number): OutputShift | null {
  return findConfirmedUnderrun(evidence, toleranceMs) ?? findDeparture(evidence, toleranceMs)
}

/** The reading that is examined for an underrun; the later ones confirm it. */
export const examinedReading = (latest: readonly ClockReading[]): ClockReading | undefined =>
  latest.length < readingsPerUnderrun ? undefined : latest.at(2 - readingsPerUnderrun)

/**
 * Detects an underrun just before the examined reading. Returns by how much the output fell behind, in ms, or 0. A
 * device that runs dry inserts silence: browsers report that within one reading, exact to some tenths of a
 * millisecond, but their readings are off by several milliseconds for the next seconds. (Measured against the recorded
 * sound of two pages.) A device never gets ahead: such a reading corrects an earlier outlier. The readings of a busy
 * page are far apart: where they were steady before, only a drift that they show since then may explain the lag.
 */
export function findUnderrun(
  latest: readonly ClockReading[],
  toleranceMs: number,
  wasSteady = false,
): number {
  const [first, second, shown, ...later] = latest.slice(-readingsPerUnderrun)
  if (!first || !second || !shown || latest.length < readingsPerUnderrun) return 0
  const beforeMs = Math.max(offsetOf(first), offsetOf(second))
  const lagMs = offsetOf(shown) - beforeMs
  const gapMs = shown.contextMs - second.contextMs
  const seenDriftMs = driftBetween(shown, later.at(-1) ?? shown) * gapMs
  const mostDriftMs = wasSteady ? steadyWanderMs + seenDriftMs : Infinity
  if (lagMs <= toleranceMs + Math.min(maxReadingDrift * gapMs, mostDriftMs)) return 0
  const lasts = later.every((reading) => offsetOf(reading) - beforeMs > lagMs * lastingShare)
  return lasts ? lagMs : 0
}

/** How far two readings drift apart, ms per ms. */
const driftBetween = (from: ClockReading, to: ClockReading): number =>
  Math.abs(offsetOf(to) - offsetOf(from)) / Math.max(1, to.contextMs - from.contextMs)

/** After steady readings a jump is an underrun; after drifting ones the context's own clock must confirm it. */
function findConfirmedUnderrun(
  { latest, readings, fit }: ShiftEvidence,
  toleranceMs: number,
): OutputShift | null {
  const shown = examinedReading(latest)
  const { slope, spanMs } = measureRamp(latest.slice(0, 2 - readingsPerUnderrun))
  const isSettled = (readings.at(-1)?.unsettledMs ?? 0) < settledMs
  const isSteady = isSettled && spanMs >= steadySpanMs && Math.abs(slope) <= steadyDrift
  const byMs = findUnderrun(latest, toleranceMs, isSteady)
  if (!shown || byMs === 0) return null
  const confirmedMs = mean(latest.slice(2 - readingsPerUnderrun).map((reading) => renderLag(fit, reading)))
  if (!isSteady && (byMs < confirmableMs || confirmedMs <= byMs * confirmedShare)) return null
  const at = shown.contextMs
  return { byMs, variance: (underrunUncertainty * byMs) ** 2, fromMs: at, endMs: at, isGuessed: false }
}

/** By how much the context's own clock is behind the fit. */
const renderLag = (fit: ClockFit, reading: ClockReading): number =>
  reading.renderOffsetMs + fit.latencyMs - offsetAt(fit, reading.contextMs)

/** A departure shows in the means of both halves of a span. */
const departures = [
  { spanMs: 250, limitMs: 8, directions: [1] },
  { spanMs: recentSpanMs, limitMs: 5, directions: [1, -1] },
]
const departureVariance = 9
const fewestReadings = 6
/** Around the start of a departure, readings may be of either side. */
const marginMs = 50
/** Settled readings this close to the fit explain everything. */
const closeMs = 3

/** Detects that the context's own clock left the fit: the browser missed an underrun, or misjudged its length. */
function findDeparture(evidence: ShiftEvidence, toleranceMs: number): OutputShift | null {
  if (isOnFit(evidence)) return null
  const { latest, fit, shiftedAtMs, guessedMs } = evidence
  const endMs = latest.at(-1)?.contextMs ?? 0
  for (const { spanMs, limitMs, directions } of departures) {
    const fromMs = endMs - spanMs
    const lags = latest
      .filter(({ contextMs }) => contextMs >= fromMs)
      .map((reading) => renderLag(fit, reading))
    if (fromMs < shiftedAtMs || lags.length < fewestReadings) continue
    const limit = Math.max(limitMs, toleranceMs)
    const middle = Math.ceil(lags.length / 2)
    const [earlyMs, lateMs] = [mean(lags.slice(0, middle)), mean(lags.slice(middle))]
    // A device never gets ahead: what moves it back can only take back what was guessed.
    const possible = directions.filter((sign) => sign > 0 || guessedMs > 0)
    if (possible.some((sign) => earlyMs * sign > limit && lateMs * sign > limit)) {
      return { byMs: lateMs, variance: departureVariance, fromMs: fromMs - marginMs, endMs, isGuessed: true }
    }
  }
  return null
}

function isOnFit({ latest, readings, fit }: ShiftEvidence): boolean {
  const [reading, weighed] = [latest.at(-1), readings.at(-1)]
  if (!reading || !weighed) return true
  return (
    weighed.unsettledMs < settledMs &&
    Math.abs(offsetOf(reading) - offsetAt(fit, reading.contextMs)) < closeMs
  )
}

/**
 * A jump costs a fade, which only the first moments of a sound hide: later on, smaller shifts are left to the rate. Decoding
 * ahead bridges a jump of up to `mostJumpMs`.
 */
const leastJumpMs = 2
const leastFreshJumpMs = 0.5
const freshMs = 2_000
const mostJumpMs = 2_000

/** Returns whether a shift of the output is worth a jump of a sound that plays for so long; negative: it is yet to begin. */
export function isJumpWorthwhile(shiftMs: number, soundsForMs: number): boolean {
  const leastMs = soundsForMs < freshMs ? leastFreshJumpMs : leastJumpMs
  return shiftMs >= leastMs && shiftMs < mostJumpMs
}

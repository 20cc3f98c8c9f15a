import { offsetOf, type ClockReading } from './clock-reading.ts'
import { addRow, dot, type Row, solve, type Sums } from './three-unknowns.ts'

/**
 * Where PulseAudio plays, the output timestamps of a stream drift for 20 s after its start, by up to three times what its
 * first measurement was off, while the sound does not move. They always drift in the same way (`lateAt`), so within
 * a second the readings show by how much. All in ms.
 */
export interface StartDrift {
  /** The context time at which the stream started. */
  startedAtMs: number
  /** The first offset, from which the others are counted. */
  baseMs: number | null
  /** Of the offset at the start, the error and the slope. */
  sums: Sums
  /** By how much the first measurement was off; 0 while the readings do not show it. */
  errorMs: number
  /** By how much the corrected offsets grow, ms per ms. */
  slope: number
  /** How far a corrected reading may be off; null where the readings do not follow the model. */
  uncertaintyMs: number | null
  /** The context times of the latest readings, one after the other, that the model does not explain. */
  misfits: readonly number[]
  /** The context time from which on the readings do not follow the model; null while they do. */
  endedAtMs: number | null
}

/** Prior variances: the error is some ms, the clocks differ by some hundred ppm. */
const expected = { offset: 1e9, error: 4 ** 2, slopePerS: 0.2 ** 2 }
/** Of a reading, ms squared. It is 0.002, but neighbouring readings share it. */
const readingVariance = 0.05
/** The first readings are of before the stream played. Later the drift is smaller than their jitter. */
const beginsS = 0.15
const lastsS = 25
/** Fewer readings are explained by anything. */
const shownFromS = 0.6
/** The largest residual of a fit that is accepted, ms: the readings' jitter, and a share of the error. */
const explainedMs = 0.07
const explainedShare = 0.02
/** The largest error among recorded streams was 6.5. */
const mostErrorMs = 8
/** A reading further from the model does not follow it; with a large error, the model itself is some per cent off. */
const misfitMs = 0.6
const misfitShare = 0.12
const misfitsUntilOver = 6
/** A stream that leaves the model earlier never followed it. */
const provenFromS = 2
/** An output that runs dry later leaves traces in PulseAudio's filter. */
const startsAgainUntilS = 1.5

export function newStartDrift(startedAtMs: number): StartDrift {
  const { offset, error, slopePerS } = expected
  const products: Sums['products'] = [
    [1 / offset, 0, 0],
    [0, 1 / error, 0],
    [0, 0, 1 / slopePerS],
  ]
  const nothing = { baseMs: null, errorMs: 0, slope: 0, uncertaintyMs: null, misfits: [], endedAtMs: null }
  return { startedAtMs, sums: { products, values: [0, 0, 0], squares: 0, rows: 0 }, ...nothing }
}

/** By how much the timestamps are late at a context time. */
export function latenessAt({ startedAtMs, errorMs, endedAtMs }: StartDrift, contextMs: number): number {
  const isOver = endedAtMs !== null && contextMs >= endedAtMs
  return errorMs === 0 || isOver ? 0 : errorMs * lateAt((contextMs - startedAtMs) / 1_000)
}

/** Whether the lateness at a context time is known: around a correction by PulseAudio it may be that of before or after. */
export const isClear = ({ startedAtMs, errorMs, endedAtMs }: StartDrift, contextMs: number): boolean =>
  endedAtMs !== null || Math.abs(errorMs) < misfitMs || !isMeasuredAt((contextMs - startedAtMs) / 1_000)

/** Adds a reading. Once readings leave the model, they change nothing any more. */
export function addToStart(start: StartDrift, reading: ClockReading): StartDrift {
  const ageS = (reading.contextMs - start.startedAtMs) / 1_000
  if (start.endedAtMs !== null || ageS < beginsS || isMeasuredAt(ageS)) return start
  if (ageS > lastsS) return { ...start, uncertaintyMs: null }
  const baseMs = start.baseMs ?? offsetOf(reading)
  const row: Row = [1, lateAt(ageS), ageS]
  const offsetMs = offsetOf(reading) - baseMs
  if (isMisfit(start, row, offsetMs)) {
    const misfits = [...start.misfits, reading.contextMs]
    return misfits.length < misfitsUntilOver
      ? { ...start, misfits }
      : endStart(start, misfits[0] ?? reading.contextMs)
  }
  const sums = addRow(start.sums, row, offsetMs, readingVariance)
  if (ageS < shownFromS) return { ...start, baseMs, sums }
  const { solution, varianceOf, unexplained } = solve(sums)
  const sizeMs = Math.abs(solution[1])
  const leftMs = Math.sqrt(unexplained * readingVariance)
  const isExplained = sizeMs < mostErrorMs && leftMs < explainedMs + explainedShare * sizeMs
  if (start.uncertaintyMs === null && !isExplained) return { ...start, baseMs, sums }
  const uncertaintyMs = Math.sqrt(varianceOf([1, 0, ageS]))
  return {
    ...start,
    baseMs,
    sums,
    errorMs: solution[1],
    slope: solution[2] / 1_000,
    uncertaintyMs,
    misfits: [],
  }
}

function isMisfit({ uncertaintyMs, sums }: StartDrift, row: Row, offsetMs: number): boolean {
  if (uncertaintyMs === null) return false
  const { solution } = solve(sums)
  const missMs = Math.abs(offsetMs - dot(solution, row))
  return missMs > misfitMs + misfitShare * Math.abs(solution[1])
}

/** Ends it where readings leave the model. The error that they showed until then stays, if it is proven. */
function endStart(start: StartDrift, contextMs: number): StartDrift {
  const isProven = contextMs - start.startedAtMs > 1_000 * provenFromS
  return { ...start, errorMs: isProven ? start.errorMs : 0, uncertaintyMs: null, endedAtMs: contextMs }
}

/** Ends it where the output was shifted. While a stream starts, it starts again there. */
export function shiftStart(start: StartDrift, contextMs: number): StartDrift {
  if (contextMs - start.startedAtMs < 1_000 * startsAgainUntilS) return newStartDrift(contextMs)
  return start.endedAtMs === null ? endStart(start, contextMs) : start
}

/** The slope of the corrected offsets; null where the readings do not follow the model. */
export const slopeOf = ({ uncertaintyMs, slope }: StartDrift): number | null =>
  uncertaintyMs === null ? null : slope

/**
 * The response: how an error of PulseAudio's first measurement of a stream makes its later positions late. Its client library
 * measures at fixed ages of the stream and extrapolates in between, by a linear filter, so all streams drift alike. (Computed
 * from `time-smoother_2.c`, which it uses since version 16; recorded streams follow it within some per cent.)
 */
const parts = [
  { fromS: 0, late: 1, drift: 0 },
  { fromS: 0.14, late: 0.971, drift: -0.192 },
  { fromS: 0.3, late: 0.858, drift: -0.459 },
  { fromS: 0.62, late: 0.469, drift: -0.842 },
  { fromS: 1.26, late: -0.395, drift: -1.098 },
  { fromS: 2.54, late: -1.597, drift: -1.018 },
  { fromS: 4.04, late: -2.146, drift: -0.777 },
]
/** It repeats from then on, smaller each time. */
const repeated = { fromS: 5.54, late: -1.528, drift: -0.558 }
const periodS = 1.5
const decay = 0.7
/** A position this close to a measurement may be from before or after it. */
const measurementS = 0.05

/**
 * Returns the segment of the response at an age, s: its start, its lateness per unit of error, and how that drifts
 * per s.
 */
function partAt(ageS: number): typeof repeated {
  const periods = Math.floor((ageS - repeated.fromS) / periodS)
  if (periods < 0) return parts.findLast(({ fromS }) => fromS <= ageS) ?? repeated
  const scale = decay ** periods
  return {
    fromS: repeated.fromS + periods * periodS,
    late: repeated.late * scale,
    drift: repeated.drift * scale,
  }
}

/** By how much an error of 1 makes the positions late at an age of the stream, s. */
export function lateAt(ageS: number): number {
  const { fromS, late, drift } = partAt(ageS)
  return late + drift * (ageS - fromS)
}

/** Whether the library measures at about this age, s. */
export const isMeasuredAt = (ageS: number): boolean =>
  partAt(ageS - measurementS).fromS !== partAt(ageS + measurementS).fromS

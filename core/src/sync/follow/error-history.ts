import { limits } from '../../limits.ts'
import { percentile } from '../../statistics.ts'
import type { FollowCause } from './follow-state.ts'

/** How well a listener followed over the last minutes, thinned out: bounded, and cheap to keep. Times in ms. */
export type ErrorHistory = readonly ErrorSample[]

export interface ErrorSample {
  /** On the client's monotonic wall clock. */
  atMs: number
  /** Positive = ahead of the room; null where there was no figure, or where it says nothing. */
  errorMs: number | null
  cause: FollowCause
  /** The page was in the background. */
  isHidden: boolean
}

export interface ErrorSummary {
  /** How many samples there are, with a figure or without. */
  sampleCount: number
  figureCount: number
  /** Of the latest sample, with its sign. */
  currentMs: number | null
  /** Of the errors without their signs. */
  p50Ms: number | null
  p95Ms: number | null
  /** How many times the sound waited for data, and for how much of the time (0..1). */
  bufferingSpells: number
  bufferingShare: number
  /** How much of the time the page was in the background (0..1). */
  hiddenShare: number
}

/** The history with one more turn of the player; a turn soon after the last sample changes nothing. */
export function addErrorSample(history: ErrorHistory, turn: ErrorSample): ErrorHistory {
  const latest = history.at(-1)
  if (latest && turn.atMs - latest.atMs < limits.errorSampleEveryMs) return history
  const hasMeaning = turn.cause === 'in_sync' || turn.cause === 'correcting'
  return [...recentSamples(history, turn.atMs), hasMeaning ? turn : { ...turn, errorMs: null }]
}

/** What is not older than the history reaches back. */
export function recentSamples(history: ErrorHistory, nowMs: number): ErrorHistory {
  return history.filter(({ atMs }) => nowMs - atMs <= limits.errorHistoryMs)
}

export function summariseErrors(history: ErrorHistory): ErrorSummary {
  const figures = history.flatMap(({ errorMs }) => (errorMs === null ? [] : [Math.abs(errorMs)]))
  const isBuffering = history.map(({ cause }) => cause === 'buffering')
  return {
    sampleCount: history.length,
    figureCount: figures.length,
    currentMs: history.at(-1)?.errorMs ?? null,
    p50Ms: percentile(figures, 0.5),
    p95Ms: percentile(figures, 0.95),
    bufferingSpells: isBuffering.filter((is, index) => is && !isBuffering[index - 1]).length,
    bufferingShare: shareOf(isBuffering),
    hiddenShare: shareOf(history.map(({ isHidden }) => isHidden)),
  }
}

const shareOf = (marks: readonly boolean[]): number =>
  marks.length === 0 ? 0 : marks.filter(Boolean).length / marks.length

import { limits } from '../../limits.ts'
import type { ListenerSync } from '../../protocol/sync-report.ts'
import { percentile } from '../../statistics.ts'
import type { FollowCause } from './follow-state.ts'

/** The sync errors of a listener over the last minutes, at most two samples a second. Times in ms. */
export type ErrorHistory = readonly ErrorSample[]

export interface ErrorSample {
  /** On the client's monotonic wall clock. */
  atMs: number
  /** Positive = ahead of the room; null without a meaningful figure. */
  errorMs: number | null
  cause: FollowCause
  /** The page was in the background. */
  isHidden: boolean
}

export interface ErrorSummary {
  /** Samples with or without a figure. */
  sampleCount: number
  /** Samples with a figure. */
  figureCount: number
  /** The signed error of the latest sample. */
  currentMs: number | null
  /** Percentiles of the absolute errors. */
  p50Ms: number | null
  p95Ms: number | null
  /** The number of times that the player buffered, and the share of the time (0..1). */
  bufferingSpells: number
  bufferingShare: number
  /** The share of the time that the page was in the background (0..1). */
  hiddenShare: number
}

/**
 * Returns within what distance of the room's timeline a sound is, in ms: the size of its error plus what the error may
 * be off. Null without an error.
 */
export function withinMs({ errorMs, uncertaintyMs }: Omit<ListenerSync, 'cause'>): number | null {
  return errorMs === null ? null : Math.abs(errorMs) + (uncertaintyMs ?? 0)
}

/** Adds a sample, unless it follows the previous one too soon. Drops figures without meaning and old samples. */
export function addErrorSample(history: ErrorHistory, sample: ErrorSample): ErrorHistory {
  const latest = history.at(-1)
  if (latest && sample.atMs - latest.atMs < limits.errorSampleEveryMs) return history
  const hasMeaning = sample.cause === 'in_sync' || sample.cause === 'correcting'
  return [...recentSamples(history, sample.atMs), hasMeaning ? sample : { ...sample, errorMs: null }]
}

/** Drops samples older than the history's length. */
export function recentSamples(history: ErrorHistory, nowMs: number): ErrorHistory {
  return history.filter(({ atMs }) => nowMs - atMs <= limits.errorHistoryMs)
}

/** Summarises the history; all figures are null or 0 without samples. */
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

const shareOf = (flags: readonly boolean[]): number =>
  flags.length === 0 ? 0 : flags.filter(Boolean).length / flags.length

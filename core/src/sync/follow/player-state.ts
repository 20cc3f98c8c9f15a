import type { PlayerKind } from '../../protocol/sync-report.ts'

/** A player as the sync rules see it: capabilities, reported position, progress and measured latency. */

export type PlayerStatus =
  | 'idle'
  | 'loading'
  | 'ready'
  | 'playing'
  | 'paused'
  | 'buffering'
  | 'ended'
  | 'error'

export interface PlayerCapabilities {
  /** Selects the correction profile. */
  profile: PlayerKind
  /** Starts at a given instant, exact to the sample. */
  canSchedule: boolean
  /** Supported playback rates: any, a list, or only 1. */
  rates: 'any' | readonly number[] | 'none'
  /** Resolution of the reported position, in ms. */
  granularityMs: number
}

/** The position reported by a player at an instant of the client's monotonic wall clock, both in ms. */
export interface PositionSample {
  positionMs: number
  atClientMs: number
  status: PlayerStatus
  /** The reported position may be wrong by up to this, in ms; absent where the player cannot estimate it. */
  uncertaintyMs?: number
  /** The player plays something else, such as an advertisement, and the position is not that of the track. */
  isAd?: boolean
}

/** The position of the last visible progress, and since when it has not changed. */
export interface Progress {
  positionMs: number
  sinceMs: number
  isStalled: boolean
}

const stalledAfterMs = 2_000
const movesAtLeastMs = 500

/**
 * Updates the progress of a player that reports `playing`: one that moved less than 0.5 s within 2 s is stalled
 * (buffering, or showing an ad) until it moves again.
 */
export function updateProgress(progress: Progress | null, sample: PositionSample): Progress {
  const { positionMs, atClientMs } = sample
  const hasMoved = !progress || Math.abs(positionMs - progress.positionMs) >= movesAtLeastMs
  if (hasMoved) return { positionMs, sinceMs: atClientMs, isStalled: false }
  return { ...progress, isStalled: progress.isStalled || atClientMs - progress.sinceMs > stalledAfterMs }
}

/** A player that covers less than this share of the elapsed time was interrupted. */
const minAdvanceShare = 0.4

/** Whether the player advanced since the previous sample: otherwise its error is not drift. */
export function isAdvancing(before: PositionSample | null, sample: PositionSample): boolean {
  if (!before || before.status !== 'playing') return true
  const elapsedMs = sample.atClientMs - before.atClientMs
  return sample.positionMs - before.positionMs >= minAdvanceShare * elapsedMs
}

/** Time from a call until the sound, from standing (`start`) and while playing (`seek`). Kept per device and source. */
export interface Latencies {
  start: Latency
  seek: Latency
}

export interface Latency {
  /** Null before the first measurement. */
  meanMs: number | null
  count: number
}

export const initialLatencies: Latencies = {
  start: { meanMs: null, count: 0 },
  seek: { meanMs: null, count: 0 },
}

/** The minimum weight of a measurement, so that the mean follows a device that changes. */
const minShare = 0.25
/** A measurement may at most double the latency, or add this: the excess is the network's. */
const maxGrowthMs = 300
/** Tolerated below zero: measurement noise of a device without latency. */
const toleranceMs = 30

/**
 * Adds a measurement to the moving average. Ignores negative ones, which have another cause, such as a clock that was
 * just corrected.
 * @param expectedMs the latency that the call was planned with
 */
export function updateLatency(latency: Latency, measuredMs: number, expectedMs: number): Latency {
  if (measuredMs < -toleranceMs) return latency
  const boundedMs = Math.max(0, Math.min(measuredMs, Math.max(2 * expectedMs, expectedMs + maxGrowthMs)))
  const count = latency.count + 1
  const meanMs = latency.meanMs ?? boundedMs
  return { meanMs: meanMs + Math.max(minShare, 1 / count) * (boundedMs - meanMs), count }
}

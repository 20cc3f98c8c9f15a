import type { Progress } from './follow-state.ts'
import type { PositionSample } from './player-state.ts'

const stalledAfterMs = 2_000
const movesAtLeastMs = 500

/**
 * Whether a player that says it plays moves on: one that moved less than half a second within two is stalled (it
 * buffers, or shows an ad) until it moves again.
 */
export function updateProgress(progress: Progress | null, sample: PositionSample): Progress {
  const { positionMs, atClientMs } = sample
  const hasMoved = !progress || Math.abs(positionMs - progress.positionMs) >= movesAtLeastMs
  if (hasMoved) return { positionMs, sinceMs: atClientMs, isStalled: false }
  return { ...progress, isStalled: progress.isStalled || atClientMs - progress.sinceMs > stalledAfterMs }
}

/** In a step that covers less than this share of the time, the player stood still for part of it. */
const leastShare = 0.4

/** Whether the player went on since the sample before: the error of one that stands still is not drift. */
export function isAdvancing(before: PositionSample | null, sample: PositionSample): boolean {
  if (!before || before.status !== 'playing') return true
  const elapsedMs = sample.atClientMs - before.atClientMs
  return sample.positionMs - before.positionMs >= leastShare * elapsedMs
}

import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { updateProgress, type Progress } from '@earshot/core/sync/follow/player-state'

/**
 * Detects that a video player which reports `playing` shows something else: an advertisement, for which there is no
 * event, or nothing. Its position then stands still, or counts the seconds of the advertisement. Times in ms.
 */
export interface VideoProgress {
  isInterrupted: boolean
  /** Of a position that stands still. */
  progress: Progress | null
  /** The latest seek or start, until it can be judged. */
  seek: { positionMs: number; atMs: number } | null
  last: { positionMs: number; atMs: number } | null
  /**
   * Since when the position is not that of the video, or null. A jump or a pause ends this, or `limits.videoAdMaxMs`:
   * the next seek then shows whether the video plays again.
   */
  foreignSinceMs: number | null
}

export const initialVideoProgress: VideoProgress = {
  isInterrupted: false,
  progress: null,
  seek: null,
  last: null,
  foreignSinceMs: null,
}

const toleranceMs = 750
const jumpMs = 1_000

/** Records a start or seek, and drops the observations before it. */
export const noteSeek = (positionMs: number, atMs: number): VideoProgress => ({
  ...initialVideoProgress,
  seek: { positionMs, atMs },
})

/** Records that the player buffers or stops. The time of a pending seek starts again. */
export const notePause = (before: VideoProgress, atMs: number): VideoProgress => ({
  ...before,
  isInterrupted: false,
  progress: null,
  foreignSinceMs: null,
  seek: before.seek && { ...before.seek, atMs },
})

/** Adds the position of a player that reports `playing`. */
export function addVideoPosition(before: VideoProgress, atMs: number, positionMs: number): VideoProgress {
  const progress = updateProgress(before.progress, { atClientMs: atMs, positionMs, status: 'playing' })
  const foreignSinceMs = isForeign(before, atMs, positionMs) ? (before.foreignSinceMs ?? atMs) : null
  const isSeekJudged = before.seek !== null && atMs - before.seek.atMs >= limits.videoAdSeekMs
  return {
    isInterrupted: progress.isStalled || foreignSinceMs !== null || hasFallenBack(before, positionMs),
    progress,
    foreignSinceMs,
    seek: isSeekJudged ? null : before.seek,
    last: { positionMs, atMs },
  }
}

function isForeign(before: VideoProgress, atMs: number, positionMs: number): boolean {
  if (before.foreignSinceMs === null) return isSeekIgnored(before, atMs, positionMs)
  return atMs - before.foreignSinceMs < limits.videoAdMaxMs && !hasJumped(before, atMs, positionMs)
}

/** Whether a player that had time enough to seek plays somewhere else. */
function isSeekIgnored({ seek }: VideoProgress, atMs: number, positionMs: number): boolean {
  if (seek === null || atMs - seek.atMs < limits.videoAdSeekMs) return false
  const earliestMs = seek.positionMs - toleranceMs
  const latestMs = seek.positionMs + (atMs - seek.atMs) + toleranceMs
  return positionMs < earliestMs || positionMs > latestMs
}

/** Whether an ad with a clock of its own has just ended: the position falls back, although nothing sought. */
function hasFallenBack({ last, seek }: VideoProgress, positionMs: number): boolean {
  return last !== null && seek === null && positionMs < last.positionMs - jumpMs
}

function hasJumped({ last }: VideoProgress, atMs: number, positionMs: number): boolean {
  return last !== null && Math.abs(positionMs - last.positionMs - (atMs - last.atMs)) > jumpMs
}

/** Few advertisements last longer; a longer one is corrected as soon as the video plays. */
const adMaxMs = 60_000

/**
 * Whether a duration that the player states may be that of an advertisement, which no event tells from the video: it is
 * shorter than the known one, or as short as an advertisement where none is known.
 */
export function mayBeOfAd(durationMs: number, track: Track | null): boolean {
  const knownMs = knownDurationMs(track)
  return durationMs < (knownMs === null ? adMaxMs : knownMs - limits.durationCorrectionMs)
}

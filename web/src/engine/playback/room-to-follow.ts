import type { Track } from '@earshot/core/protocol/entities'
import { positionAt, type Timeline } from '@earshot/core/sync/timeline'
import type { TrackToPlay } from '../../players/player-slot.ts'

/** The room as the server confirmed it, without the page's own predictions. */
export interface RoomToFollow {
  timeline: Timeline
  /** The timeline's track; null while it is being fetched. */
  track: Track | null
  nextTrack: Track | null
  /** The listener stopped the own sound, or another tab has it. */
  isPausedHere: boolean
  /** Delay of this device's sound in ms. */
  nudgeMs: number
  /** The timeline comes from the recovery copy, and the server has not confirmed it yet. */
  isRestored: boolean
}

const prepareBeforeEndMs = 30_000

/** Whether the room neither plays nor is about to, or is not heard here. */
export const isIdle = ({ timeline, isPausedHere }: RoomToFollow): boolean =>
  isPausedHere || (!timeline.isPlaying && !timeline.isCueing)

/** Returns the timeline's track, or null without one. */
export function currentTrack({ trackId, source }: Timeline): TrackToPlay | null {
  return trackId !== null && source !== null ? { id: trackId, source } : null
}

/** Whether the next track is worth preloading. */
export function isNearEnd(timeline: Timeline, serverNowMs: number): boolean {
  const { isPlaying, durationMs } = timeline
  return (
    isPlaying && durationMs !== null && durationMs - positionAt(timeline, serverNowMs) < prepareBeforeEndMs
  )
}

import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { type ClockState, clientTimeAt } from '@earshot/core/sync/clock/clock-offset'
import { stopAtClientMs } from '@earshot/core/sync/follow/follow-actions'
import { endsAt, positionAt, roomPositionAt, type Timeline } from '@earshot/core/sync/timeline'
import type { LoadOptions, Player } from '../../players/player.ts'
import type { TrackToPlay } from '../../players/player-slot.ts'
import { heardTrack, type RoomState, soundHere, type Substitutes } from '../state/room-state.ts'
import { wallNow } from '../../wall-clock.ts'

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
  /** The timeline or the clock may be outdated, and the server has not confirmed them yet: nothing sounds. */
  isOutdated: boolean
}

/** Returns the room for this listener's player: as the server confirmed it, never as it is predicted. */
export function toRoomToFollow(state: RoomState): Omit<RoomToFollow, 'isOutdated'> {
  const { confirmed, substitutes, nudgesMs } = state
  const { timeline, track, queue } = confirmed
  const heard = withSubstitutes({ timeline, track, nextTrack: queue[0] ?? null }, substitutes)
  const { source } = heard.timeline
  return { ...heard, isPausedHere: soundHere(state) !== 'on', nudgeMs: source ? nudgesMs[source] : 0 }
}

type HeardTracks = Pick<RoomToFollow, 'timeline' | 'track' | 'nextTrack'>

/** Returns the room with its tracks replaced by what is heard; position and times stay the room's. */
export function withSubstitutes(
  { timeline, track, nextTrack }: HeardTracks,
  substitutes: Substitutes,
): HeardTracks {
  const substitute = timeline.trackId === null ? undefined : substitutes[timeline.trackId]
  const next = heardTrack(substitutes, nextTrack)
  if (!substitute) return { timeline, track, nextTrack: next }
  const heard = { ...timeline, trackId: substitute.id, source: substitute.source }
  return { timeline: heard, track: substitute, nextTrack: next }
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

/** How long after a track is loaded a joining listener sounds, about. */
const joinMs = 500
/** A position further from where the track is loaded is fetched instead of it. */
const elsewhereMs = 5_000

/** What was followed at the turn before, and the clock now. */
interface TimelineBefore {
  timeline: Timeline | null
  clock: ClockState
}

/**
 * Returns how a track is loaded at `positionMs`. Who joins is loaded at 0 (4.19c) but never sounds there, so another position
 * is fetched. Until a start that is yet to come, the track of `before` sounds on: to its end, if that is there. Before one that
 * waits for its listeners, it stops as at a pause.
 */
export function loadOptions(
  { positionMs }: { positionMs: number },
  { timeline, nextTrack: next }: Omit<HeardTracks, 'track'>,
  { timeline: before, clock }: TimelineBefore,
): LoadOptions {
  const nowMs = wallNow()
  const soonMs = roomPositionAt(timeline, clock, nowMs + joinMs)
  const playsFromMs = soonMs > positionMs + elsewhereMs ? soonMs : positionMs
  const isBefore = before !== null && before.isPlaying && before.atServerMs <= timeline.atServerMs
  if (!isBefore) return { playsFromMs, next }
  if (!timeline.isPlaying) {
    const stopMs = stopAtClientMs(timeline, clock, nowMs)
    return stopMs > nowMs ? { playsFromMs, next, beforeUntilMs: stopMs } : { playsFromMs, next }
  }
  const startsAtMs = clock.line ? clientTimeAt(clock, timeline.atServerMs) : -Infinity
  if (startsAtMs <= nowMs) return { playsFromMs, next }
  const isJoined = (endsAt(before) ?? Infinity) <= timeline.atServerMs + limits.stopAfterMs
  return { playsFromMs, next, beforeUntilMs: isJoined ? Infinity : startsAtMs + limits.stopAfterMs }
}

/** In a room that was paused while its track is loaded, the one before stops, too. */
export function stopTrackBefore(player: Player, timeline: Timeline, clock: ClockState): void {
  if (!timeline.isPlaying && !timeline.isCueing)
    player.stopBefore?.(stopAtClientMs(timeline, clock, wallNow()))
}

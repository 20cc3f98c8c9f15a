import { limits } from '../limits.ts'
import type { PlaybackState, Source } from '../protocol/entities.ts'
import { type ClockState, serverTimeAt } from './clock/clock-offset.ts'

/**
 * A room's playback as last stamped by the server: at server time `atServerMs` the position is `positionMs`. With the
 * server's clock it gives the position at any instant. All in ms.
 */
export interface Timeline {
  trackId: string | null
  source: Source | null
  isPlaying: boolean
  positionMs: number
  /** May lie in the future: a scheduled start, silent until then. */
  atServerMs: number
  /** Null without a track or with an unknown duration; 0 on the wire. */
  durationMs: number | null
  /** Increases by 100 on play and pause, by 1 otherwise; a lower one is stale. */
  sequenceNumber: number
  /** A new track waits, paused, for the listeners to load it. */
  isCueing: boolean
}

export const emptyTimeline: Timeline = {
  trackId: null,
  source: null,
  isPlaying: false,
  positionMs: 0,
  atServerMs: 0,
  durationMs: null,
  sequenceNumber: 0,
  isCueing: false,
}

/** Returns the position in ms at a server time, clamped to a known duration. */
export function positionAt(timeline: Timeline, serverMs: number): number {
  const elapsedMs = timeline.isPlaying ? Math.max(0, serverMs - timeline.atServerMs) : 0
  const positionMs = timeline.positionMs + elapsedMs
  return Math.min(positionMs, timeline.durationMs ?? Infinity)
}

/**
 * Returns the position of a room's timeline at an instant of the client's clock, in ms. Before the first sample of the
 * clock it is a guess from the timeline's stamp (9.13): good enough to load a track there, not to sound.
 */
export function roomPositionAt(timeline: Timeline, clock: ClockState, clientMs: number): number {
  if (clock.line) return positionAt(timeline, serverTimeAt(clock, clientMs))
  const { positionMs, atServerMs, isPlaying } = timeline
  return isPlaying ? estimatePosition(positionMs, atServerMs, clientMs) : positionMs
}

/** Returns the same timeline with a later stamp: a page that has no clock yet estimates from recent stamps only (9.13). */
export function restamp(timeline: Timeline, serverMs: number): Timeline {
  if (serverMs <= timeline.atServerMs) return timeline
  return { ...timeline, positionMs: positionAt(timeline, serverMs), atServerMs: serverMs }
}

/** Returns the server time at which the track ends, or null while paused or with an unknown duration. */
export function endsAt(timeline: Timeline): number | null {
  if (!timeline.isPlaying || timeline.durationMs === null) return null
  return timeline.atServerMs + Math.max(0, timeline.durationMs - timeline.positionMs)
}

/** Whether `next` may replace `current`: it is not an older one that arrived late. */
export function supersedes(next: Timeline, current: Timeline): boolean {
  return next.sequenceNumber >= current.sequenceNumber
}

/** Converts a timeline to its wire form (3.8). */
export function toPlaybackState(timeline: Timeline, senderId: string | null): PlaybackState {
  return {
    is_playing: timeline.isPlaying,
    current_position: timeline.positionMs,
    timestamp: timeline.atServerMs,
    track_id: timeline.trackId,
    sequence_number: timeline.sequenceNumber,
    sender_id: senderId,
    duration: timeline.durationMs ?? 0,
    source: timeline.source,
    cueing: timeline.isCueing,
  }
}

/** Converts a timeline from its wire form (3.8). */
export function fromPlaybackState(state: PlaybackState): Timeline {
  return {
    trackId: state.track_id,
    source: state.source,
    isPlaying: state.is_playing,
    positionMs: state.current_position,
    atServerMs: state.timestamp,
    durationMs: state.duration > 0 ? state.duration : null,
    sequenceNumber: state.sequence_number,
    isCueing: state.cueing ?? false,
  }
}

/**
 * Estimates the position of a playing track from a sender's timestamp on an unsynchronised clock: adds the elapsed
 * time and a network allowance if 0 to 10 s have passed, otherwise returns the position as sent (9.13). All in ms.
 */
export function estimatePosition(positionMs: number, timestampMs: number, nowMs: number): number {
  const elapsedMs = nowMs - timestampMs
  const isPlausible = elapsedMs >= 0 && elapsedMs <= limits.driftElapsedMaxMs
  return isPlausible ? positionMs + elapsedMs + limits.driftAllowanceMs : positionMs
}

import type { PlaybackState, Source } from '../protocol/entities.ts'

/**
 * What a room plays, as the server last stamped it: at server time `atServerMs` the position was, or will be,
 * `positionMs`. Who has the timeline and the server's clock knows the position at any instant. All in ms.
 */
export interface Timeline {
  trackId: string | null
  source: Source | null
  isPlaying: boolean
  positionMs: number
  /** May lie in the future: a scheduled start. Until then nothing sounds. */
  atServerMs: number
  /** 0 where there is no track or nobody knows. */
  durationMs: number
  /** Rises by 100 with play and pause, by 1 otherwise; a lower one is stale. */
  sequenceNumber: number
  /** The track was changed and waits, paused, for the listeners to load it. */
  isCueing: boolean
}

export const emptyTimeline: Timeline = {
  trackId: null,
  source: null,
  isPlaying: false,
  positionMs: 0,
  atServerMs: 0,
  durationMs: 0,
  sequenceNumber: 0,
  isCueing: false,
}

/** The position in ms at a server time, never past the end where the duration is known. */
export function positionAt(timeline: Timeline, serverMs: number): number {
  const elapsedMs = timeline.isPlaying ? Math.max(0, serverMs - timeline.atServerMs) : 0
  const positionMs = timeline.positionMs + elapsedMs
  return timeline.durationMs > 0 ? Math.min(positionMs, timeline.durationMs) : positionMs
}

/** The server time at which the track ends, or null while it does not run or its duration is unknown. */
export function endsAt(timeline: Timeline): number | null {
  if (!timeline.isPlaying || timeline.durationMs <= 0) return null
  return timeline.atServerMs + Math.max(0, timeline.durationMs - timeline.positionMs)
}

/** Whether `next` may replace `current`: it is another change, not an older one that came late. */
export function supersedes(next: Timeline, current: Timeline): boolean {
  return next.sequenceNumber >= current.sequenceNumber
}

/** The timeline in the words of the wire (3.8). */
export function toPlaybackState(timeline: Timeline, senderId: string | null): PlaybackState {
  return {
    is_playing: timeline.isPlaying,
    current_position: timeline.positionMs,
    timestamp: timeline.atServerMs,
    track_id: timeline.trackId,
    sequence_number: timeline.sequenceNumber,
    sender_id: senderId,
    duration: timeline.durationMs,
    source: timeline.source,
    cueing: timeline.isCueing,
  }
}

/** The timeline out of the words of the wire (3.8). */
export function fromPlaybackState(state: PlaybackState): Timeline {
  return {
    trackId: state.track_id,
    source: state.source,
    isPlaying: state.is_playing,
    positionMs: state.current_position,
    atServerMs: state.timestamp,
    durationMs: state.duration,
    sequenceNumber: state.sequence_number,
    isCueing: state.cueing ?? false,
  }
}

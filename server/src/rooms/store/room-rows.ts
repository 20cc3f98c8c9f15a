import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { dueAt } from '@earshot/core/room/track-change'
import type { RoomState } from '@earshot/core/room/room-state'
import type { RoomPlaybackColumns, RoomRow } from '../../db/rooms.ts'

/** Between the columns of a room and the state that the rules work on. */

/** What the column `playback_state` holds: all of the state that has no column of its own. */
type StoredExtras = Omit<RoomState, 'id' | 'ownerId' | 'timeline' | 'track' | 'queue'> & {
  durationMs: number
  isCueing: boolean
  /** Rises with every change of the queue, so that a listener can tell which of two came later. */
  queueVersion: number
}

export interface StoredRoom {
  state: RoomState
  queueVersion: number
}

const initialExtras: StoredExtras = {
  durationMs: 0,
  isCueing: false,
  queueVersion: 0,
  cue: null,
  recentCommandIds: [],
  lastCommand: null,
  hasPlayed: false,
}

/** The columns of a room that was just made (7.1b). */
export function initialPlaybackColumns(nowMs: number): RoomPlaybackColumns {
  return {
    is_playing: 0,
    current_position: 0,
    last_updated: Math.round(nowMs),
    current_track_id: null,
    sequence_number: 0,
    playback_state: JSON.stringify(initialExtras),
    due_at: null,
  }
}

export function toStoredRoom(row: RoomRow, storedTrack: Track | null, queue: QueueEntry[]): StoredRoom {
  const stored = JSON.parse(row.playback_state) as Partial<StoredExtras>
  const { durationMs, isCueing, queueVersion, ...rest } = { ...initialExtras, ...stored }
  // A duration that the owner's player corrected holds for the room, whatever the track itself says.
  const track = storedTrack && {
    ...storedTrack,
    duration: durationMs > 0 ? durationMs : storedTrack.duration,
  }
  const timeline = {
    trackId: row.current_track_id,
    source: track?.source ?? null,
    isPlaying: row.is_playing === 1,
    positionMs: row.current_position,
    atServerMs: row.last_updated,
    durationMs,
    sequenceNumber: row.sequence_number,
    isCueing,
  }
  return { state: { ...rest, id: row.id, ownerId: row.owner_id, timeline, track, queue }, queueVersion }
}

export function toPlaybackColumns({ state, queueVersion }: StoredRoom): RoomPlaybackColumns {
  const { id: _id, ownerId: _ownerId, timeline, track: _track, queue: _queue, ...rest } = state
  const extras: StoredExtras = {
    ...rest,
    durationMs: timeline.durationMs,
    isCueing: timeline.isCueing,
    queueVersion,
  }
  const due = dueAt(state)
  return {
    is_playing: timeline.isPlaying ? 1 : 0,
    current_position: timeline.positionMs,
    last_updated: timeline.atServerMs,
    current_track_id: timeline.trackId,
    sequence_number: timeline.sequenceNumber,
    playback_state: JSON.stringify(extras),
    due_at: due === null ? null : Math.ceil(due),
  }
}

/** The state in whole milliseconds, as it is stored: what is broadcast must be what a later reader finds. */
export function roundTimes(state: RoomState): RoomState {
  const { timeline, cue } = state
  return {
    ...state,
    timeline: {
      ...timeline,
      positionMs: Math.round(timeline.positionMs),
      atServerMs: Math.round(timeline.atServerMs),
      durationMs: Math.round(timeline.durationMs),
    },
    cue: cue && { ...cue, deadlineAtMs: Math.round(cue.deadlineAtMs) },
  }
}

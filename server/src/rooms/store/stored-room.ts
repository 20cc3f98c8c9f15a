import {
  type QueueEntry,
  type RoomSettings,
  defaultRoomSettings,
  roomSettingsSchema,
} from '@earshot/core/protocol/entities'
import { nextDueAt } from '@earshot/core/room/due'
import type { RoomState } from '@earshot/core/room/room-state'
import { toDurationFields } from '@earshot/core/sync/duration'
import type { RoomPlaybackColumns, RoomRow, RoomWithTrack } from '../../db/rooms.ts'

/** The column `playback_state`: the part of the state without columns of its own. */
type StoredExtras = Omit<
  RoomState,
  'id' | 'ownerId' | 'settings' | 'controllerId' | 'timeline' | 'track' | 'queue'
> & {
  /** 0 or null if unknown. */
  durationMs: number | null
  isCueing: boolean
  /** Rises with every change of the queue, so that clients can drop an older queue. */
  queueVersion: number
}

export interface StoredRoom {
  state: RoomState
  queueVersion: number
}

const initialExtras: StoredExtras = {
  durationMs: null,
  isCueing: false,
  queueVersion: 0,
  ownerAbsence: null,
  turn: 0,
  trackAddedBy: null,
  isLastTurn: false,
  cue: null,
  recentCommandIds: [],
  lastCommandsAtMs: {},
  hasPlayed: false,
  isAwaitingListeners: false,
  isPausedByHand: false,
  diskWait: null,
  imports: [],
}

/** Returns the columns of a new room (7.1b). */
export function initialPlaybackColumns(nowMs: number): RoomPlaybackColumns {
  return {
    is_playing: 0,
    current_position: 0,
    last_updated: Math.round(nowMs),
    current_track_id: null,
    sequence_number: 0,
    playback_state: JSON.stringify(initialExtras),
    due_at: null,
    controller_id: null,
  }
}

/** Converts a room's row, with its current track, and its queue where it is needed. */
export function toStoredRoom(
  { row, track: storedTrack }: RoomWithTrack,
  queue: QueueEntry[] = [],
): StoredRoom {
  const stored = JSON.parse(row.playback_state) as Partial<StoredExtras>
  const { durationMs: storedMs, isCueing, queueVersion, ...rest } = { ...initialExtras, ...stored }
  const durationMs = storedMs === 0 ? null : storedMs
  // The duration corrected by the owner's player takes precedence over that of the track.
  const corrected = durationMs === null ? {} : toDurationFields(durationMs)
  const track = storedTrack && { ...storedTrack, ...corrected }
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
  const room = {
    id: row.id,
    ownerId: row.owner_id,
    settings: parseRoomSettings(row.settings),
    controllerId: row.controller_id,
  }
  return { state: { ...rest, ...room, timeline, track, queue }, queueVersion }
}

/** Reads the settings of a room's row; unknown values are the defaults. */
export function parseRoomSettings(settings: string): RoomSettings {
  return settings === '{}' ? defaultRoomSettings : roomSettingsSchema.parse(JSON.parse(settings))
}

/** Whether strangers are told nothing of a room but that it is private (17.435). */
export function isUnlisted({ is_public, settings }: Pick<RoomRow, 'is_public' | 'settings'>): boolean {
  return is_public === 0 && !parseRoomSettings(settings).listed
}

export function toPlaybackColumns({ state, queueVersion }: StoredRoom): RoomPlaybackColumns {
  const { id: _id, ownerId: _ownerId, settings: _settings, controllerId, ...playback } = state
  const { timeline, track: _track, queue: _queue, ...rest } = playback
  const extras: StoredExtras = {
    ...rest,
    durationMs: timeline.durationMs,
    isCueing: timeline.isCueing,
    queueVersion,
  }
  const due = nextDueAt(state)
  return {
    is_playing: timeline.isPlaying ? 1 : 0,
    current_position: timeline.positionMs,
    last_updated: timeline.atServerMs,
    current_track_id: timeline.trackId,
    sequence_number: timeline.sequenceNumber,
    playback_state: JSON.stringify(extras),
    due_at: due === null ? null : Math.ceil(due),
    controller_id: controllerId,
  }
}

/** Rounds to whole milliseconds as stored, so that the broadcast state equals the state read later. */
export function roundTimes(state: RoomState): RoomState {
  const { timeline, cue } = state
  return {
    ...state,
    timeline: {
      ...timeline,
      positionMs: Math.round(timeline.positionMs),
      atServerMs: Math.round(timeline.atServerMs),
      durationMs: timeline.durationMs && Math.round(timeline.durationMs),
    },
    cue: cue && { ...cue, deadlineAtMs: Math.round(cue.deadlineAtMs) },
  }
}

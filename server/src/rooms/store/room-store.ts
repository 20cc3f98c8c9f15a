import type { Clock } from '@earshot/core/clock'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { dueAt } from '@earshot/core/room/track-change'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import type { Db } from '../../db/database.ts'
import {
  type RoomPlaybackColumns,
  type RoomRow,
  findRoom,
  lockRoom,
  updateRoomPlayback,
  listQueue,
} from '../../db/rooms.ts'
import { findTrack, updateTrackDuration } from '../../db/tracks.ts'
import { type QueueCache, createQueueCache, writeQueueChanges } from './queue-store.ts'

/** The column `playback_state`: the part of the state without columns of its own. */
type StoredExtras = Omit<RoomState, 'id' | 'ownerId' | 'timeline' | 'track' | 'queue'> & {
  durationMs: number
  isCueing: boolean
  /** Rises with every change of the queue, so that clients can drop an older queue. */
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

/** An outcome as stored, with the version of its queue. */
export interface StoredOutcome extends RoomOutcome {
  queueVersion: number
}

/** Loads and stores rooms. One per process. */
export interface RoomStore {
  db: Db
  clock: Clock
  queues: QueueCache
}

export function createRoomStore(db: Db, clock: Clock): RoomStore {
  return { db, clock, queues: createQueueCache(clock) }
}

/** Attempts before a serialisation failure of the database is passed on. */
const attempts = 5

/**
 * Changes a room in one transaction: locks and loads it, runs the pure `change`, writes only the differences.
 * An error thrown by `change` rolls back and is passed on. `change` runs again after a serialisation failure. Changes
 * of one room never overlap, not even between processes.
 * @throws AppError room_not_found
 */
export async function changeRoom(
  store: RoomStore,
  roomId: string,
  change: (state: RoomState) => RoomOutcome,
): Promise<StoredOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await store.db
        .transaction()
        .execute((db) => changeOnce({ ...store, db }, roomId, change))
      store.queues.store(roomId, outcome.queueVersion, outcome.state.queue)
      return outcome
    } catch (error) {
      if (attempt >= attempts || !isSerialisationFailure(error)) throw error
    }
  }
}

/** Loads a room with its queue, without a lock. @throws AppError room_not_found */
export async function loadRoomState(db: Db, roomId: string): Promise<StoredRoom> {
  const found = await findRoom(db, roomId)
  if (!found) throw new AppError('room_not_found')
  return toStoredRoom(found.row, found.track, await listQueue(db, roomId))
}

async function changeOnce(
  store: RoomStore,
  roomId: string,
  change: (state: RoomState) => RoomOutcome,
): Promise<StoredOutcome> {
  const row = await lockRoom(store.db, roomId)
  if (!row) throw new AppError('room_not_found')
  const before = await loadRest(store, row)
  const outcome = change(before.state)
  const isQueueChanged = outcome.state.queue !== before.state.queue
  const queueVersion = before.queueVersion + (isQueueChanged ? 1 : 0)
  const after = { state: roundTimes(outcome.state), queueVersion }
  if (isQueueChanged) {
    const addedAtMs = store.clock.now()
    await writeQueueChanges(store.db, roomId, {
      before: before.state.queue,
      after: after.state.queue,
      addedAtMs,
    })
  }
  await writePlayback(store.db, before, after)
  return { state: after.state, changes: outcome.changes, queueVersion }
}

async function loadRest({ db, queues }: RoomStore, row: RoomRow): Promise<StoredRoom> {
  const track = row.current_track_id === null ? null : await findTrack(db, row.current_track_id)
  const stored = toStoredRoom(row, track, [])
  const queue = queues.find(row.id, stored.queueVersion) ?? (await listQueue(db, row.id))
  return { ...stored, state: { ...stored.state, queue } }
}

async function writePlayback(db: Db, before: StoredRoom, after: StoredRoom): Promise<void> {
  const columns = toPlaybackColumns(after)
  if (JSON.stringify(columns) !== JSON.stringify(toPlaybackColumns(before))) {
    await updateRoomPlayback(db, after.state.id, columns)
  }
  const corrected = findCorrectedTrack(before.state.track, after.state.track)
  if (corrected) await updateTrackDuration(db, corrected.id, corrected.duration)
}

/** A video's duration is only known once it plays, so a correction is stored for all rooms (4.21b). */
function findCorrectedTrack(before: Track | null, after: Track | null): Track | null {
  const isSame = after !== null && after.id === before?.id
  return isSame && after.source === 'youtube' && after.duration !== before.duration ? after : null
}

/** PostgreSQL: serialization_failure, deadlock_detected. SQLite: busy, locked by another process. */
const retryableCodes = new Set<unknown>(['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_LOCKED'])
const retryableSqliteCodes = new Set<unknown>([5, 6])

function isSerialisationFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return retryableCodes.has(code) || (typeof errcode === 'number' && retryableSqliteCodes.has(errcode & 0xff))
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
  }
}

export function toStoredRoom(row: RoomRow, storedTrack: Track | null, queue: QueueEntry[]): StoredRoom {
  const stored = JSON.parse(row.playback_state) as Partial<StoredExtras>
  const { durationMs, isCueing, queueVersion, ...rest } = { ...initialExtras, ...stored }
  // The duration corrected by the owner's player takes precedence over that of the track.
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

function toPlaybackColumns({ state, queueVersion }: StoredRoom): RoomPlaybackColumns {
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

/** Rounds to whole milliseconds as stored, so that the broadcast state equals the state read later. */
function roundTimes(state: RoomState): RoomState {
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

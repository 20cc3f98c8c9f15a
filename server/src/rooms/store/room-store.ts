import type { Clock } from '@earshot/core/clock'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { QueuePart } from '@earshot/core/protocol/queue-calls'
import { compareQueues } from '@earshot/core/room/queue-delta'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import { type Db, engineOf } from '../../db/database.ts'
import { writeTogether } from '../../db/dialects/sqlite.ts'
import {
  type RoomPlaybackColumns,
  type RoomRow,
  findRoom,
  lockRoom,
  updateRoomPlayback,
} from '../../db/rooms.ts'
import { listQueue } from '../../db/room-queues.ts'
import { findTrack, updateTrackDuration } from '../../db/tracks.ts'
import { type QueueCache, createQueueCache, writeQueueChange } from './queue-store.ts'
import { type StoredRoom, roundTimes, toPlaybackColumns, toStoredRoom } from './stored-room.ts'

/** An outcome as stored, with the room before it and the version of its queue. */
export interface StoredOutcome extends RoomOutcome {
  before: RoomState
  queueVersion: number
  /** The difference to the queue of the version before; null if the queue is the same. */
  queueParts: QueuePart[] | null
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
 * Changes a room: loads it, runs the pure `change`, writes only the differences. An error thrown by `change` changes
 * nothing and is passed on. `change` runs again where another process changed the room meanwhile. Changes of one room
 * never overlap, not even between processes: the write is refused if the room is no longer as it was read, and then
 * repeated under the lock of the room's row.
 * @throws AppError room_not_found
 */
export async function changeRoom(
  store: RoomStore,
  roomId: string,
  change: (state: RoomState) => RoomOutcome,
): Promise<StoredOutcome> {
  const outcome = (await changeUnlocked(store, roomId, change)) ?? (await changeLocked(store, roomId, change))
  store.queues.store(roomId, outcome.queueVersion, outcome.state.queue)
  return outcome
}

/** Loads a room with its queue, without a lock. @throws AppError room_not_found */
export async function loadRoomState(db: Db, roomId: string): Promise<StoredRoom> {
  const found = await findRoom(db, roomId)
  if (!found) throw new AppError('room_not_found')
  return toStoredRoom(found.row, found.track, await listQueue(db, roomId))
}

/**
 * Reads a room's queue and its version, both of the same moment: differences are applied to them. `version` is the one
 * that the room had last. @throws AppError room_not_found
 */
export async function readQueue(
  db: Db,
  roomId: string,
  version: number | null = null,
): Promise<{ queue: QueueEntry[]; version: number }> {
  let expected = version ?? (await readQueueVersion(db, roomId))
  for (let attempt = 1; attempt < attempts; attempt++) {
    const queue = await listQueue(db, roomId)
    const current = await readQueueVersion(db, roomId)
    if (current === expected) return { queue, version: current }
    expected = current
  }
  return await db.transaction().execute(async (locked) => {
    const row = await lockRoom(locked, roomId)
    if (!row) throw new AppError('room_not_found')
    return { queue: await listQueue(locked, roomId), version: queueVersionOf(row) }
  })
}

async function readQueueVersion(db: Db, roomId: string): Promise<number> {
  const found = await findRoom(db, roomId)
  if (!found) throw new AppError('room_not_found')
  return queueVersionOf(found.row)
}

export function queueVersionOf(row: RoomRow): number {
  return toStoredRoom(row, null, []).queueVersion
}

/** Reads without a lock. Null if the room was changed before the write: nothing is stored. */
async function changeUnlocked(
  store: RoomStore,
  roomId: string,
  change: (state: RoomState) => RoomOutcome,
): Promise<StoredOutcome | null> {
  const found = await findRoom(store.db, roomId)
  if (!found) throw new AppError('room_not_found')
  const before = await loadQueue(store, toStoredRoom(found.row, found.track, []))
  const after = applyChange(before, change)
  const columns = toChangedColumns(before, after)
  if (!columns) return after
  const write = async (db: Db): Promise<boolean> => {
    const isUnchanged = await updateRoomPlayback(db, roomId, { columns, expected: found.row })
    if (isUnchanged) await writeRest({ ...store, db }, before, after)
    return isUnchanged
  }
  return (await writeGuarded(store.db, write, hasRest(before, after))) ? after : null
}

/**
 * Runs a write whose first statement is refused where the room changed, in as few round trips as the database allows.
 * Resolves to whether it was stored.
 */
async function writeGuarded(
  db: Db,
  write: (db: Db) => Promise<boolean>,
  hasSeveralStatements: boolean,
): Promise<boolean> {
  if (engineOf(db) === 'sqlite') return await writeTogether(db, write)
  if (!hasSeveralStatements) return await write(db)
  try {
    return await db.transaction().execute(write)
  } catch (error) {
    if (isSerialisationFailure(error)) return false
    throw error
  }
}

async function changeLocked(
  store: RoomStore,
  roomId: string,
  change: (state: RoomState) => RoomOutcome,
): Promise<StoredOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.db.transaction().execute((db) => changeOnce({ ...store, db }, roomId, change))
    } catch (error) {
      if (attempt >= attempts || !isSerialisationFailure(error)) throw error
    }
  }
}

async function changeOnce(
  store: RoomStore,
  roomId: string,
  change: (state: RoomState) => RoomOutcome,
): Promise<StoredOutcome> {
  const row = await lockRoom(store.db, roomId)
  if (!row) throw new AppError('room_not_found')
  const track = row.current_track_id === null ? null : await findTrack(store.db, row.current_track_id)
  const before = await loadQueue(store, toStoredRoom(row, track, []))
  const after = applyChange(before, change)
  const columns = toChangedColumns(before, after)
  if (columns) await updateRoomPlayback(store.db, roomId, { columns, expected: null })
  await writeRest(store, before, after)
  return after
}

async function loadQueue({ db, queues }: RoomStore, stored: StoredRoom): Promise<StoredRoom> {
  const { id } = stored.state
  const queue = queues.find(id, stored.queueVersion) ?? (await listQueue(db, id))
  return { ...stored, state: { ...stored.state, queue } }
}

function applyChange(before: StoredRoom, change: (state: RoomState) => RoomOutcome): StoredOutcome {
  const { state, changes } = change(before.state)
  const isQueueChanged = state.queue !== before.state.queue
  const queueParts = isQueueChanged ? compareQueues(before.state.queue, state.queue) : null
  const queueVersion = before.queueVersion + (isQueueChanged ? 1 : 0)
  return { state: roundTimes(state), before: before.state, changes, queueVersion, queueParts }
}

/** Returns null where nothing is to be stored: every change shows in these columns. */
function toChangedColumns(before: StoredRoom, after: StoredRoom): RoomPlaybackColumns | null {
  const columns = toPlaybackColumns(after)
  return JSON.stringify(columns) === JSON.stringify(toPlaybackColumns(before)) ? null : columns
}

/** Whether a change is more than the room's row. */
function hasRest(before: StoredRoom, { queueParts, state }: StoredOutcome): boolean {
  return queueParts !== null || findCorrectedTrack(before.state.track, state.track) !== null
}

/** Writes what the room's row does not contain. */
async function writeRest({ db, clock }: RoomStore, before: StoredRoom, after: StoredOutcome): Promise<void> {
  const { queueParts: parts } = after
  if (parts) {
    const queues = { before: before.state.queue, after: after.state.queue }
    await writeQueueChange(db, after.state.id, { ...queues, parts, addedAtMs: clock.now() })
  }
  const corrected = findCorrectedTrack(before.state.track, after.state.track)
  if (corrected) await updateTrackDuration(db, corrected.id, corrected.duration)
}

/** A video's duration is only known once it plays, so a correction is stored for all rooms (4.21b). */
function findCorrectedTrack(before: Track | null, after: Track | null): Track | null {
  const isSame = after !== null && after.id === before?.id
  const isCorrected = isSame && knownDurationMs(after) !== knownDurationMs(before)
  return isCorrected && after.source === 'youtube' ? after : null
}

/** PostgreSQL: serialization_failure, deadlock_detected. SQLite waits for the lock by itself. */
const retryableCodes = new Set<unknown>(['40001', '40P01'])

function isSerialisationFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && retryableCodes.has(error.code)
}

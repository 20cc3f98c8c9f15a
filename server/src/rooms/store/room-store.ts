import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import type { Db } from '../../db/database.ts'
import { deleteQueueEntries, listQueue, shiftQueueEntries, writeQueueEntries } from '../../db/room-tracks.ts'
import { type RoomRow, findRoom, lockRoom, updateRoomPlayback } from '../../db/rooms.ts'
import { findTrack, updateTrackDuration } from '../../db/tracks.ts'
import { type QueueCache, createQueueCache } from './queue-cache.ts'
import { compareQueues } from './queue-store.ts'
import { type StoredRoom, roundTimes, toPlaybackColumns, toStoredRoom } from './room-rows.ts'

/** The room as the rules see it, over the database. */

/** An outcome that is stored: with what tells its queue from an older one. */
export interface StoredOutcome extends RoomOutcome {
  queueVersion: number
}

/** Where rooms are kept. One a process. */
export interface RoomStore {
  db: Db
  clock: Clock
  queues: QueueCache
}

export function createRoomStore(db: Db, clock: Clock): RoomStore {
  return { db, clock, queues: createQueueCache(clock) }
}

/** How often a change is tried where the database could not serialise it with another one. */
const attempts = 5

/**
 * Changes a room in one transaction: locks and loads it, runs the pure `change`, writes only the differences.
 * What `change` throws undoes everything and is passed on. `change` must be free of effects: it runs again where the
 * database could not serialise the transaction. Changes of one room never overlap, also between processes.
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

/** @throws AppError room_not_found */
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
  if (isQueueChanged) await writeQueue(store, before.state, after.state)
  await writePlayback(store.db, before, after)
  return { state: after.state, changes: outcome.changes, queueVersion }
}

async function loadRest({ db, queues }: RoomStore, row: RoomRow): Promise<StoredRoom> {
  const track = row.current_track_id === null ? null : await findTrack(db, row.current_track_id)
  const stored = toStoredRoom(row, track, [])
  const queue = queues.find(row.id, stored.queueVersion) ?? (await listQueue(db, row.id))
  return { ...stored, state: { ...stored.state, queue } }
}

async function writeQueue({ db, clock }: RoomStore, before: RoomState, after: RoomState): Promise<void> {
  const { removedIds, shift, written } = compareQueues(before.queue, after.queue)
  if (removedIds.length > 0) await deleteQueueEntries(db, after.id, removedIds)
  if (shift) await shiftQueueEntries(db, after.id, shift)
  if (written.length === 0) return
  const rows = written.map((entry) => ({
    entry_id: entry.entry_id,
    room_id: after.id,
    track_id: entry.id,
    position: entry.position,
    added_by: entry.added_by,
    added_at: Math.round(clock.now()),
  }))
  await writeQueueEntries(db, rows)
}

async function writePlayback(db: Db, before: StoredRoom, after: StoredRoom): Promise<void> {
  const columns = toPlaybackColumns(after)
  if (JSON.stringify(columns) !== JSON.stringify(toPlaybackColumns(before))) {
    await updateRoomPlayback(db, after.state.id, columns)
  }
  const corrected = findCorrectedTrack(before.state.track, after.state.track)
  if (corrected) await updateTrackDuration(db, corrected.id, corrected.duration)
}

/** A video's duration is only known by playing it, so what one room learns is kept for all (4.21b). */
function findCorrectedTrack(before: Track | null, after: Track | null): Track | null {
  const isSame = after !== null && after.id === before?.id
  return isSame && after.source === 'youtube' && after.duration !== before.duration ? after : null
}

/** PostgreSQL: serialization_failure, deadlock_detected. SQLite: busy, locked (another process holds the file). */
const retryableCodes = new Set<unknown>(['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_LOCKED'])
const retryableSqliteCodes = new Set<unknown>([5, 6])

function isSerialisationFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return retryableCodes.has(code) || (typeof errcode === 'number' && retryableSqliteCodes.has(errcode & 0xff))
}

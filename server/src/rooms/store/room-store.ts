import type { Clock } from '@earshot/core/clock'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { QueuePart } from '@earshot/core/protocol/queue-calls'
import { compareQueues } from '@earshot/core/room/queue-delta'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import { type Db, engineOf } from '../../db/database.ts'
import { writeTogether } from '../../db/dialects/sqlite.ts'
import {
  type RoomPlaybackColumns,
  type RoomRow,
  type RoomWithTrack,
  playbackColumns,
  lockRoom,
  requireRoom,
  updateRoomPlayback,
} from '../../db/rooms.ts'
import { listQueue } from '../../db/room-queues.ts'
import { findTrack, storeMissingDuration } from '../../db/tracks.ts'
import { errorCode } from '../../error-code.ts'
import { type HistoryChange, writeHistory } from '../../db/queue-history.ts'
import { writeQueueChange } from './queue-store.ts'
import { type KnownRoom, type RoomCache, createRoomCache } from './room-cache.ts'
import { type StoredRoom, roundTimes, toPlaybackColumns, toStoredRoom } from './stored-room.ts'
import { serverLimits } from '../../server-limits.ts'

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
  cache: RoomCache
}

export function createRoomStore(db: Db, clock: Clock): RoomStore {
  return { db, clock, cache: createRoomCache(clock) }
}

/** Attempts before a serialisation failure of the database is passed on. */
const maxAttempts = 5

/**
 * Changes a room: loads it, runs the pure `change`, writes only the differences. An error thrown by `change` changes
 * nothing and is passed on. `change` runs again where another process changed the room meanwhile. Changes of one room
 * never overlap, not even between processes: the write is refused if the room is no longer as it was read, or as this
 * process knew it, and then repeated, in the end under the lock of the room's row.
 * @throws AppError room_not_found
 */
export async function changeRoom(store: RoomStore, roomId: string, change: Change): Promise<StoredOutcome> {
  const known = store.cache.find(roomId)
  return (
    (known && (await changeKnown(store, known, change))) ??
    (await changeUnlocked(store, roomId, change)) ??
    (await changeLocked(store, roomId, change))
  )
}

/** Loads a room with its queue, without a lock. @throws AppError room_not_found */
export async function loadRoomState(db: Db, roomId: string): Promise<StoredRoom> {
  const found = await requireRoom(db, roomId)
  return toStoredRoom(found, await listQueue(db, roomId))
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
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    const queue = await listQueue(db, roomId)
    const current = await readQueueVersion(db, roomId)
    if (current === expected) return { queue, version: current }
    expected = current
  }
  return await db.transaction().execute(async (locked) => {
    const row = await lockRoom(locked, roomId)
    return { queue: await listQueue(locked, roomId), version: queueVersionOf(row) }
  })
}

async function readQueueVersion(db: Db, roomId: string): Promise<number> {
  const found = await requireRoom(db, roomId)
  return queueVersionOf(found.row)
}

export function queueVersionOf(row: RoomRow): number {
  return toStoredRoom({ row, track: null }).queueVersion
}

/** A change of a room, not stored yet. */
interface PlannedChange {
  known: KnownRoom
  after: StoredOutcome
  /** Null where nothing is to be stored. */
  columns: RoomPlaybackColumns | null
  history: readonly HistoryChange[]
}

/** `history` is stored in the same transaction. */
export type ChangedRoom = RoomOutcome & { history?: readonly HistoryChange[] }
type Change = (state: RoomState) => ChangedRoom

/**
 * Changes a room as this process knows it, without reading it. Null where only the stored room tells: it is another by
 * now, or the change is refused, or changes nothing. Nothing is stored then.
 */
async function changeKnown(
  store: RoomStore,
  known: KnownRoom,
  change: Change,
): Promise<StoredOutcome | null> {
  let planned: PlannedChange
  try {
    planned = planChange(known, change)
  } catch {
    return null
  }
  return planned.columns === null ? null : await storeUnlocked(store, planned)
}

/** Reads without a lock. Null if the room was changed before the write: nothing is stored. */
async function changeUnlocked(
  store: RoomStore,
  roomId: string,
  change: Change,
): Promise<StoredOutcome | null> {
  const found = await requireRoom(store.db, roomId)
  return await storeUnlocked(store, planChange(await loadQueue(store, found), change))
}

/** Stores a change, unless the stored room is no longer as it was known: then resolves to null. */
async function storeUnlocked(store: RoomStore, planned: PlannedChange): Promise<StoredOutcome | null> {
  const { known, after, columns } = planned
  const { row } = known
  const write = async (db: Db): Promise<boolean> => {
    if (columns === null) return true
    const isUnchanged = await updateRoomPlayback(db, row.id, { columns, expected: row })
    if (isUnchanged) await writeOtherTables({ ...store, db }, planned)
    return isUnchanged
  }
  try {
    if (!(await writeGuarded(store.db, write, changesOtherTables(planned)))) return null
  } catch (error) {
    // It may be stored nevertheless.
    store.cache.remove(row.id)
    throw error
  }
  remember(store, planned)
  return after
}

/** Without `before` of the outcome, which would keep all rooms before it. */
function remember({ cache }: RoomStore, { known, after, columns }: PlannedChange): void {
  const { state, queueVersion } = after
  const room = { state, queueVersion }
  cache.store({ ...known, room, ...(columns ? { columns, row: { ...known.row, ...columns } } : {}) })
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
  if (!hasSeveralStatements) return await write(db)
  if (engineOf(db) === 'sqlite') return await writeTogether(db, write)
  try {
    return await db.transaction().execute(write)
  } catch (error) {
    if (isSerialisationFailure(error)) return false
    throw error
  }
}

async function changeLocked(store: RoomStore, roomId: string, change: Change): Promise<StoredOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const planned = await store.db
        .transaction()
        .execute((db) => changeInTransaction({ ...store, db }, roomId, change))
      remember(store, planned)
      return planned.after
    } catch (error) {
      store.cache.remove(roomId)
      if (attempt >= maxAttempts || !isSerialisationFailure(error)) throw error
    }
  }
}

async function changeInTransaction(store: RoomStore, roomId: string, change: Change): Promise<PlannedChange> {
  const row = await lockRoom(store.db, roomId)
  const track = row.current_track_id === null ? null : await findTrack(store.db, row.current_track_id)
  const planned = planChange(await loadQueue(store, { row, track }), change)
  const { columns } = planned
  if (columns) await updateRoomPlayback(store.db, roomId, { columns, expected: null })
  await writeOtherTables(store, planned)
  return planned
}

/** Reads the queue of a room, unless it is known and still of this version. */
async function loadQueue({ db, clock, cache }: RoomStore, found: RoomWithTrack): Promise<KnownRoom> {
  const { row } = found
  const room = toStoredRoom(found)
  const known = cache.find(row.id)
  const isSame = known?.room.queueVersion === room.queueVersion
  const queue = isSame ? known.room.state.queue : await listQueue(db, row.id)
  const readAtMs = isSame ? known.readAtMs : clock.now()
  const loaded = { ...room, state: { ...room.state, queue } }
  return { row, room: loaded, columns: toPlaybackColumns(loaded), readAtMs }
}

function planChange(known: KnownRoom, change: Change): PlannedChange {
  const { room: before } = known
  const { state, changes, history = [] } = change(before.state)
  const isQueueChanged = state.queue !== before.state.queue
  const queueParts = isQueueChanged ? compareQueues(before.state.queue, state.queue) : null
  const queueVersion = before.queueVersion + (isQueueChanged ? 1 : 0)
  const after = { state: roundTimes(state), before: before.state, changes, queueVersion, queueParts }
  return { known, after, columns: toChangedColumns(known, after), history }
}

/** Returns null where nothing is to be stored: every change shows in these columns. */
function toChangedColumns({ columns: before }: KnownRoom, after: StoredRoom): RoomPlaybackColumns | null {
  const columns = toPlaybackColumns(after)
  return playbackColumns.every((name) => columns[name] === before[name]) ? null : columns
}

/** Whether a change is more than the room's row. */
function changesOtherTables({ known, after, history }: PlannedChange): boolean {
  const isCorrected = findCorrectedTrack(known.room.state.track, after.state.track) !== null
  return after.queueParts !== null || isCorrected || history.length > 0
}

/** Writes what the room's row does not contain. */
async function writeOtherTables({ db, clock }: RoomStore, planned: PlannedChange): Promise<void> {
  const { known, after, history } = planned
  const { state: before } = known.room
  const { queueParts: parts, state } = after
  if (history.length > 0) await writeHistory(db, state.id, history)
  if (parts) {
    const queues = { before: before.queue, after: state.queue }
    await writeQueueChange(db, state.id, { ...queues, parts, addedAtMs: clock.now() })
  }
  const corrected = findCorrectedTrack(before.track, state.track)
  if (corrected) await storeMissingDuration(db, corrected.id, corrected.duration)
}

/**
 * A video's duration may only be known once it plays: then it is stored for all rooms (4.21b), unless it would end the video
 * there before it is heard, or lets it play for days.
 */
function findCorrectedTrack(before: Track | null, after: Track | null): Track | null {
  const isSame = after !== null && after.id === before?.id
  const isCorrected = isSame && knownDurationMs(after) !== knownDurationMs(before)
  if (!isCorrected || after.source !== 'youtube') return null
  const { sharedDurationMinMs, sharedDurationMaxMs } = serverLimits
  return after.duration >= sharedDurationMinMs && after.duration <= sharedDurationMaxMs ? after : null
}

/** PostgreSQL: serialization_failure, deadlock_detected. SQLite waits for the lock by itself. */
const retryableCodes: readonly unknown[] = ['40001', '40P01']

const isSerialisationFailure = (error: unknown): boolean => retryableCodes.includes(errorCode(error))

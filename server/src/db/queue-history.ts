import { limits } from '@earshot/core/limits'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { PlayedTrack } from '@earshot/core/protocol/queue-calls'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { toQueueEntry } from './room-queues.ts'
import type { Database, RemovedEntriesTable, RoomHistoryTable } from './schema.ts'
import { toTrack } from './tracks.ts'
import { serverLimits } from '../server-limits.ts'

/** The tracks that each room has played, bounded per room, and the queue entries removed lately. */

/** A change of a room's history, stored with the change of the room. */
export type HistoryChange =
  | { type: 'played'; row: RoomHistoryTable }
  /** The track is current again: the room played it last. */
  | { type: 'resumed'; trackId: string }
  | { type: 'removed'; row: RemovedEntriesTable }
  | ({ type: 'cleared' } & Clearing)
  | { type: 'restored'; removal: Removal }

/**
 * Writes the changes, in order, without reading: they may be collected and stored together. Before the change of the
 * queue, which has what is cleared.
 */
export async function writeHistory(db: Db, roomId: string, changes: readonly HistoryChange[]): Promise<void> {
  for (const change of changes) await writeChange(db, roomId, change)
}

async function writeChange(db: Db, roomId: string, change: HistoryChange): Promise<void> {
  switch (change.type) {
    case 'played':
      return await insertPlayed(db, change.row, serverLimits.historyMaxLength)
    case 'resumed':
      return await deleteLastPlayed(db, roomId, change.trackId)
    case 'removed':
      return await insertRemoved(db, change.row, change.row.removed_at - limits.restoreWindowMs)
    case 'cleared':
      return await insertCleared(db, change, change.atMs - limits.restoreWindowMs)
    case 'restored':
      return await deleteRemoved(db, roomId, change.removal)
  }
}

/** Stores a played track; of a room's tracks, keeps the latest `keep`. Ids sort by time. */
export async function insertPlayed(db: Db, row: RoomHistoryTable, keep: number): Promise<void> {
  await db.insertInto('room_history').values(row).execute()
  const oldest = db
    .selectFrom('room_history')
    .select('id')
    .where('room_id', '=', row.room_id)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(keep - 1)
  await db.deleteFrom('room_history').where('room_id', '=', row.room_id).where('id', '<', oldest).execute()
}

/** Lists up to `limit` tracks played before `beforeId`, or the latest ones; latest first. */
export async function listPlayed(
  db: Db,
  roomId: string,
  page: { beforeId: string | null; limit: number },
): Promise<PlayedTrack[]> {
  let query = db
    .selectFrom('room_history')
    .innerJoin('tracks', 'tracks.id', 'room_history.track_id')
    .leftJoin('profiles', 'profiles.id', 'room_history.added_by')
    .selectAll('tracks')
    .select(['room_history.id as played_id', 'room_history.added_by', 'room_history.played_at'])
    .select('profiles.username')
    .where('room_history.room_id', '=', roomId)
  if (page.beforeId !== null) query = query.where('room_history.id', '<', page.beforeId)
  const rows = await query.orderBy('room_history.id', 'desc').limit(page.limit).execute()
  return rows.map((row) => ({
    id: row.played_id,
    track: toTrack(row),
    added_by: row.added_by,
    added_by_name: row.username,
    played_at: row.played_at,
  }))
}

/** Deletes the track that a room played last, if it is this one. */
async function deleteLastPlayed(db: Db, roomId: string, trackId: string): Promise<void> {
  const last = db
    .selectFrom('room_history')
    .select('id')
    .where('room_id', '=', roomId)
    .orderBy('id', 'desc')
    .limit(1)
  await db.deleteFrom('room_history').where('track_id', '=', trackId).where('id', '=', last).execute()
}

/** Stores a removed entry; forgets those of the room that were removed before `sinceMs`. */
async function insertRemoved(db: Db, row: RemovedEntriesTable, sinceMs: number): Promise<void> {
  await db
    .deleteFrom('removed_entries')
    .where('room_id', '=', row.room_id)
    .where((eb) => eb.or([eb('removed_at', '<', Math.round(sinceMs)), eb('entry_id', '=', row.entry_id)]))
    .execute()
  await db.insertInto('removed_entries').values(row).execute()
}

/** A clearing of a queue. */
interface Clearing {
  roomId: string
  removalId: string
  /** Whose entries; null: all. */
  ofUser: string | null
  atMs: number
}

/**
 * Stores the entries that a clearing is about to remove, while they are in the queue: the database copies them, as up to
 * 1,000 rows would be much to send. Forgets those of the room that were removed before `sinceMs`.
 */
async function insertCleared(db: Db, clearing: Clearing, sinceMs: number): Promise<void> {
  const { roomId, removalId, ofUser, atMs } = clearing
  const ofRoom = db.selectFrom('room_tracks').where('room_id', '=', roomId)
  const cleared = ofUser === null ? ofRoom : ofRoom.where('added_by', '=', ofUser)
  const isForgotten = (eb: ExpressionBuilder<Database, 'removed_entries'>) =>
    eb.or([
      eb('removed_at', '<', Math.round(sinceMs)),
      eb('entry_id', 'in', cleared.select('room_tracks.entry_id')),
    ])
  await db.deleteFrom('removed_entries').where('room_id', '=', roomId).where(isForgotten).execute()
  await db
    .insertInto('removed_entries')
    .columns(['entry_id', 'room_id', 'track_id', 'position', 'added_by', 'removed_at', 'removal_id'])
    .expression(
      cleared
        .select(['entry_id', 'room_id', 'track_id', 'position', 'added_by'])
        .select(sql<number>`cast(${Math.round(atMs)} as bigint)`.as('removed_at'))
        .select(sql<string>`cast(${removalId} as text)`.as('removal_id')),
    )
    .execute()
}

/** Names what was removed: one entry, or all that were cleared together. */
export type Removal = { entryId: string } | { removalId: string }

const isOf = (removal: Removal) => (eb: ExpressionBuilder<Database, 'removed_entries'>) =>
  'entryId' in removal
    ? eb.and([
        eb('removed_entries.entry_id', '=', removal.entryId),
        // A clearing is restored as a whole, by the member who cleared.
        eb('removed_entries.removal_id', 'is', null),
      ])
    : eb('removed_entries.removal_id', '=', removal.removalId)

/** Lists the removed entries of a room, in order, with the positions that they had. Null if there are none. */
export async function findRemoved(
  db: Db,
  roomId: string,
  removal: Removal,
): Promise<{ entries: QueueEntry[]; removedAtMs: number } | null> {
  const rows = await db
    .selectFrom('removed_entries')
    .innerJoin('tracks', 'tracks.id', 'removed_entries.track_id')
    .leftJoin('profiles', 'profiles.id', 'removed_entries.added_by')
    .selectAll('tracks')
    .select(['removed_entries.entry_id', 'removed_entries.position', 'removed_entries.added_by'])
    .select(['removed_entries.removed_at', 'profiles.username'])
    .where('removed_entries.room_id', '=', roomId)
    .where(isOf(removal))
    .orderBy('removed_entries.position')
    .execute()
  const [first] = rows
  return first ? { entries: rows.map(toQueueEntry), removedAtMs: first.removed_at } : null
}

/** Deletes the removed entries of a room that were put back. */
async function deleteRemoved(db: Db, roomId: string, removal: Removal): Promise<void> {
  await db.deleteFrom('removed_entries').where('room_id', '=', roomId).where(isOf(removal)).execute()
}

/** Deletes the removed entries of a room that a user had added: they cannot be put back. */
export async function deleteRemovedOf(db: Db, roomId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('removed_entries')
    .where('room_id', '=', roomId)
    .where('added_by', '=', userId)
    .execute()
}

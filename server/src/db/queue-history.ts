import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { PlayedTrack } from '@earshot/core/protocol/queue-calls'
import type { Db } from './database.ts'
import type { RemovedEntriesTable, RoomHistoryTable } from './schema.ts'
import { toTrack } from './tracks.ts'

/** The tracks that each room has played, bounded per room, and the queue entries removed lately. */

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
export async function deleteLastPlayed(db: Db, roomId: string, trackId: string): Promise<void> {
  const last = db
    .selectFrom('room_history')
    .select('id')
    .where('room_id', '=', roomId)
    .orderBy('id', 'desc')
    .limit(1)
  await db.deleteFrom('room_history').where('track_id', '=', trackId).where('id', '=', last).execute()
}

/** Stores a removed entry; forgets those of the room that were removed before `sinceMs`. */
export async function insertRemoved(db: Db, row: RemovedEntriesTable, sinceMs: number): Promise<void> {
  await db
    .deleteFrom('removed_entries')
    .where('room_id', '=', row.room_id)
    .where((eb) => eb.or([eb('removed_at', '<', Math.round(sinceMs)), eb('entry_id', '=', row.entry_id)]))
    .execute()
  await db.insertInto('removed_entries').values(row).execute()
}

/** Finds a removed entry of a room, with the position that it had. */
export async function findRemoved(
  db: Db,
  roomId: string,
  entryId: string,
): Promise<{ entry: QueueEntry; removedAtMs: number } | null> {
  const row = await db
    .selectFrom('removed_entries')
    .innerJoin('tracks', 'tracks.id', 'removed_entries.track_id')
    .leftJoin('profiles', 'profiles.id', 'removed_entries.added_by')
    .selectAll('tracks')
    .select(['removed_entries.position', 'removed_entries.added_by', 'removed_entries.removed_at'])
    .select('profiles.username')
    .where('removed_entries.room_id', '=', roomId)
    .where('removed_entries.entry_id', '=', entryId)
    .executeTakeFirst()
  if (!row) return null
  const entry = {
    ...toTrack(row),
    entry_id: entryId,
    position: row.position,
    added_by: row.added_by,
    ...(row.username === null ? {} : { added_by_name: row.username }),
  }
  return { entry, removedAtMs: row.removed_at }
}

export async function deleteRemoved(db: Db, entryId: string): Promise<void> {
  await db.deleteFrom('removed_entries').where('entry_id', '=', entryId).execute()
}

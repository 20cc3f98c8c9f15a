import type { QueueEntry } from '@earshot/core/protocol/entities'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { RoomTracksTable } from './schema.ts'
import { toTrack } from './tracks.ts'

/** The queue of each room (7.5). Positions are always 0 to n-1; only the room store writes here. */

/** Lists the queue in order, each entry with its track; at most `limit` of them. */
export async function listQueue(db: Db, roomId: string, limit?: number): Promise<QueueEntry[]> {
  const query = db
    .selectFrom('room_tracks')
    .innerJoin('tracks', 'tracks.id', 'room_tracks.track_id')
    .leftJoin('profiles', 'profiles.id', 'room_tracks.added_by')
    .selectAll('tracks')
    .select(['room_tracks.entry_id', 'room_tracks.position', 'room_tracks.added_by', 'profiles.username'])
    .where('room_tracks.room_id', '=', roomId)
    .orderBy('room_tracks.position')
  const rows = await (limit === undefined ? query : query.limit(limit)).execute()
  return rows.map(toQueueEntry)
}

type QueueRow = Parameters<typeof toTrack>[0] &
  Pick<QueueEntry, 'entry_id' | 'position' | 'added_by'> & { username: string | null }

/** Converts a row of a queue with its track and the name of the user who added it. */
export function toQueueEntry(row: QueueRow): QueueEntry {
  return {
    ...toTrack(row),
    entry_id: row.entry_id,
    position: row.position,
    added_by: row.added_by,
    ...(row.username === null ? {} : { added_by_name: row.username }),
  }
}

/** Lists the ids of a room's current track and of the first entries of its queue, at most `count`. */
export async function listUpcomingTrackIds(db: Db, roomId: string, count: number): Promise<string[]> {
  const [room, entries] = await Promise.all([
    db.selectFrom('rooms').select('current_track_id').where('id', '=', roomId).executeTakeFirst(),
    db
      .selectFrom('room_tracks')
      .select('track_id')
      .where('room_id', '=', roomId)
      .orderBy('position')
      .limit(count)
      .execute(),
  ])
  const ids = [room?.current_track_id ?? [], ...entries.map((entry) => entry.track_id)].flat()
  return [...new Set(ids)].slice(0, count)
}

export async function deleteQueueEntries(db: Db, roomId: string, entryIds: string[]): Promise<void> {
  await db.deleteFrom('room_tracks').where('room_id', '=', roomId).where('entry_id', 'in', entryIds).execute()
}

/** Moves the entries of each range by its distance, in one statement. Ranges do not overlap. */
export async function moveQueueRanges(
  db: Db,
  roomId: string,
  ranges: { first: number; count: number; by: number }[],
): Promise<void> {
  const position = sql.ref('position')
  const last = (range: { first: number; count: number }): number => range.first + range.count - 1
  const cases = ranges.map(
    (range) => sql`when ${position} between ${range.first} and ${last(range)} then ${position} + ${range.by}`,
  )
  await db
    .updateTable('room_tracks')
    .set({ position: sql<number>`case ${sql.join(cases, sql` `)} else ${position} end` })
    .where('room_id', '=', roomId)
    .where('position', '>=', Math.min(...ranges.map((range) => range.first)))
    .where('position', '<=', Math.max(...ranges.map(last)))
    .execute()
}

/** Inserts entries; of an existing one, updates the position only. */
export async function writeQueueEntries(db: Db, rows: RoomTracksTable[]): Promise<void> {
  await db
    .insertInto('room_tracks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('entry_id').doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
    )
    .execute()
}

import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { Db } from './database.ts'
import type { RoomTracksTable } from './schema.ts'
import { toTrack } from './tracks.ts'

/** The queue of each room (7.5). Positions are always 0 to n-1; only the room store writes here. */

/** Lists the queue in order, each entry with its track. */
export async function listQueue(db: Db, roomId: string): Promise<QueueEntry[]> {
  const rows = await db
    .selectFrom('room_tracks')
    .innerJoin('tracks', 'tracks.id', 'room_tracks.track_id')
    .selectAll('tracks')
    .select(['room_tracks.entry_id', 'room_tracks.position', 'room_tracks.added_by'])
    .where('room_tracks.room_id', '=', roomId)
    .orderBy('room_tracks.position')
    .execute()
  return rows.map((row) => ({
    ...toTrack(row),
    entry_id: row.entry_id,
    position: row.position,
    added_by: row.added_by,
  }))
}

export async function deleteQueueEntries(db: Db, roomId: string, entryIds: string[]): Promise<void> {
  await db.deleteFrom('room_tracks').where('room_id', '=', roomId).where('entry_id', 'in', entryIds).execute()
}

/** Moves every entry from `first` to `last` (positions, inclusive) by `by` places, in one statement. */
export async function shiftQueueEntries(
  db: Db,
  roomId: string,
  range: { first: number; last: number; by: number },
): Promise<void> {
  await db
    .updateTable('room_tracks')
    .set((eb) => ({ position: eb('position', '+', range.by) }))
    .where('room_id', '=', roomId)
    .where('position', '>=', range.first)
    .where('position', '<=', range.last)
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

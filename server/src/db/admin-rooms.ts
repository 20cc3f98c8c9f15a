import type { AdminRoom } from '@earshot/core/protocol/admin-calls'
import { AppError } from '@earshot/core/protocol/errors'
import { sql } from 'kysely'
import { escapeLike } from './catalogue/library-search.ts'
import type { Db } from './database.ts'
import { deleteMessagesOfRoom } from './messages.ts'
import { serverLimits } from '../server-limits.ts'

/** The rooms, as the administration sees them. */

/** Lists the rooms whose name contains a text as `foldText` returns it, the newest first. */
export async function listAllRooms(
  db: Db,
  { searchText, offset }: { searchText: string; offset: number },
): Promise<{ rooms: AdminRoom[]; total: number }> {
  const pattern = `%${escapeLike(searchText)}%`
  const matching = db
    .selectFrom('rooms')
    .$if(searchText !== '', (query) =>
      query.where(sql<boolean>`rooms.search_text like ${pattern} escape '\\'`),
    )
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .leftJoin('profiles', 'profiles.id', 'rooms.owner_id')
    .select(['rooms.id', 'rooms.name', 'rooms.is_public', 'rooms.created_at', 'rooms.listeners'])
    .select('profiles.username')
    .orderBy('rooms.created_at', 'desc')
    .orderBy('rooms.id')
    .limit(serverLimits.adminPageSize)
    .offset(offset)
    .execute()
  return {
    rooms: rows.map((row) => ({
      id: row.id,
      name: row.name,
      isPublic: row.is_public === 1,
      ownerName: row.username,
      members: row.listeners,
      createdAt: row.created_at,
    })),
    total: Number(count),
  }
}

/** Finds the room with this id, or the rooms with this name in whatever case. */
export async function findRoomsByName(db: Db, idOrName: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('rooms')
    .select(['id', 'name'])
    .where((eb) =>
      eb.or([eb('id', '=', idOrName), eb(eb.fn<string>('lower', ['name']), '=', idOrName.toLowerCase())]),
    )
    .limit(20)
    .execute()
}

/** Resolves to whether there is such a room. */
export async function renameRoom(
  db: Db,
  roomId: string,
  columns: { name: string; search_text: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rooms')
    .set(columns)
    .where('id', '=', roomId)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

export async function countAllRooms(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('rooms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countAllMembers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('user_rooms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns those of the rooms that exist. */
export async function listExistingRooms(db: Db, roomIds: string[]): Promise<Set<string>> {
  if (roomIds.length === 0) return new Set()
  const rows = await db.selectFrom('rooms').select('id').where('id', 'in', roomIds).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Deletes a room with what belongs to it. A running server notices it by itself. @throws AppError room_not_found */
export async function deleteRoomRow(db: Db, roomId: string): Promise<void> {
  await deleteMessagesOfRoom(db, roomId)
  const { numDeletedRows } = await db.deleteFrom('rooms').where('id', '=', roomId).executeTakeFirst()
  if (Number(numDeletedRows) === 0) throw new AppError('room_not_found')
}

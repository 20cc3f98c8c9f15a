import type { Db } from './database.ts'

/** The rooms in which the server acts by itself. */

/** Lists rooms in which the server must act by `untilMs`, the earliest first. */
export async function listDueRooms(
  db: Db,
  untilMs: number,
  limit: number,
): Promise<{ id: string; dueAtMs: number }[]> {
  const rows = await db
    .selectFrom('rooms')
    .select(['id', 'due_at'])
    .where('due_at', '<=', Math.ceil(untilMs))
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => (row.due_at === null ? [] : [{ id: row.id, dueAtMs: row.due_at }]))
}

/** Finds when the server must act in a room next, if at all, and whether it has a member. */
export async function findDueRoom(
  db: Db,
  roomId: string,
): Promise<{ dueAtMs: number | null; hasMember: boolean }> {
  const row = await db
    .selectFrom('rooms')
    .select('due_at')
    .select((eb) =>
      eb.selectFrom('user_rooms').select('user_id').where('room_id', '=', roomId).limit(1).as('member'),
    )
    .where('id', '=', roomId)
    .executeTakeFirst()
  return { dueAtMs: row?.due_at ?? null, hasMember: row !== undefined && row.member !== null }
}

/** Lists the ids of the rooms that play or are about to. */
export async function listRunningRooms(db: Db): Promise<string[]> {
  const rows = await selectRunning(db).execute()
  return rows.map((row) => row.id)
}

/** Lists the ids of up to 500 rooms that were stamped later than `atMs`. */
export async function listRoomsAheadOf(db: Db, atMs: number): Promise<string[]> {
  const rows = await selectRunning(db).where('last_updated', '>', Math.ceil(atMs)).limit(500).execute()
  return rows.map((row) => row.id)
}

/** Lists the ids of the rooms in which a track is current. */
export async function listRoomsWithCurrentTrack(db: Db, trackId: string): Promise<string[]> {
  const rows = await db.selectFrom('rooms').select('id').where('current_track_id', '=', trackId).execute()
  return rows.map((row) => row.id)
}

function selectRunning(db: Db) {
  return db
    .selectFrom('rooms')
    .select('id')
    .where((eb) => eb.or([eb('is_playing', '=', 1), eb('due_at', 'is not', null)]))
}

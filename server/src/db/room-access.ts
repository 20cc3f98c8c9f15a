import type { Db } from './database.ts'

/** Who gave a private room's password once, and is admitted from then on (6.4b). */

/** Idempotent. */
export async function insertRoomAccess(
  db: Db,
  access: { roomId: string; userId: string; grantedAtMs: number },
): Promise<void> {
  await db
    .insertInto('room_access')
    .values({
      room_id: access.roomId,
      user_id: access.userId,
      granted_at: Math.round(access.grantedAtMs),
    })
    .onConflict((conflict) => conflict.columns(['room_id', 'user_id']).doNothing())
    .execute()
}

export async function hasRoomAccess(db: Db, roomId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('room_access')
    .select('room_id')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Ids of the rooms to which a user was admitted. */
export async function listRoomAccess(db: Db, userId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('room_access').select('room_id').where('user_id', '=', userId).execute()
  return new Set(rows.map((row) => row.room_id))
}

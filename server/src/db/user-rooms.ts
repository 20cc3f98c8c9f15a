import type { Db } from './database.ts'

/** Memberships, counted as listeners (3.4), and admissions to private rooms, which outlast them (6.4b). */

export interface NewMembership {
  userId: string
  roomId: string
  joinedAtMs: number
}

/** Idempotent. Resolves to whether each user was no member before, in the same order; the first of equal ones counts. */
export async function insertMemberships(db: Db, memberships: readonly NewMembership[]): Promise<boolean[]> {
  const rows = memberships.map(({ userId, roomId, joinedAtMs }) => ({
    user_id: userId,
    room_id: roomId,
    joined_at: Math.round(joinedAtMs),
  }))
  // Many connections of one user may join at once.
  const unique = new Map(rows.toReversed().map((row) => [toKey(row), row]))
  const inserted = await db
    .insertInto('user_rooms')
    .values([...unique.values()])
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id']).doNothing())
    .returning(['user_id', 'room_id'])
    .execute()
  const isNew = new Set(inserted.map((row) => toKey(row)))
  return rows.map((row) => isNew.delete(toKey(row)))
}

const toKey = (row: { user_id: string; room_id: string }): string => `${row.user_id} ${row.room_id}`

/** Idempotent. */
export async function deleteMemberships(db: Db, roomId: string, userIds: string[]): Promise<void> {
  await db.deleteFrom('user_rooms').where('room_id', '=', roomId).where('user_id', 'in', userIds).execute()
}

/** Whether a room has any member. */
export async function hasMembers(db: Db, roomId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_rooms')
    .select('user_id')
    .where('room_id', '=', roomId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function isMember(db: Db, roomId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_rooms')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a user is in any room. */
export async function isMemberAnywhere(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_rooms')
    .select('room_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists memberships that began before `beforeMs` by room and user, after the given one. */
export async function listMemberships(
  db: Db,
  page: { beforeMs: number; after: { roomId: string; userId: string } | null; limit: number },
): Promise<{ roomId: string; userId: string }[]> {
  const { after } = page
  let query = db
    .selectFrom('user_rooms')
    .select(['room_id', 'user_id'])
    .where('joined_at', '<', Math.round(page.beforeMs))
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb('room_id', '>', after.roomId),
        eb.and([eb('room_id', '=', after.roomId), eb('user_id', '>', after.userId)]),
      ]),
    )
  }
  const rows = await query.orderBy('room_id').orderBy('user_id').limit(page.limit).execute()
  return rows.map((row) => ({ roomId: row.room_id, userId: row.user_id }))
}

/** Records that a user gave a private room's password. Idempotent. */
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

/** Ends all admissions to a room but those of its members. */
export async function keepAccessOfMembers(db: Db, roomId: string): Promise<void> {
  await db.deleteFrom('room_access').where('room_id', '=', roomId).execute()
  await db
    .insertInto('room_access')
    .columns(['room_id', 'user_id', 'granted_at'])
    .expression((eb) =>
      eb
        .selectFrom('user_rooms')
        .select(['room_id', 'user_id', 'joined_at as granted_at'])
        .where('room_id', '=', roomId),
    )
    .execute()
}

/** Resolves to whether each user was admitted to the room, in the same order. */
export async function findAdmissions(
  db: Db,
  keys: readonly { roomId: string; userId: string }[],
): Promise<boolean[]> {
  const rows = await db
    .selectFrom('room_access')
    .select(['room_id', 'user_id'])
    .where('room_id', 'in', [...new Set(keys.map(({ roomId }) => roomId))])
    .where('user_id', 'in', [...new Set(keys.map(({ userId }) => userId))])
    .execute()
  const admitted = new Set(rows.map(toKey))
  return keys.map(({ roomId, userId }) => admitted.has(toKey({ user_id: userId, room_id: roomId })))
}

/** Returns the ids of the rooms to which a user was admitted. */
export async function listRoomAccess(db: Db, userId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('room_access').select('room_id').where('user_id', '=', userId).execute()
  return new Set(rows.map((row) => row.room_id))
}

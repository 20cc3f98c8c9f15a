import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { unknownUsername } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { RoomBan } from '@earshot/core/protocol/moderation-calls'
import type { Db } from '../db/database.ts'

/** The bans of rooms. They are stored, so they outlast connections, invites and restarts (17.31). */

const fullText = `This room has ${limits.roomBansMax} bans, the most it can have. Lift one first`

/** Resolves to whether a user may not join a room. */
export async function isBanned(db: Db, roomId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('room_bans')
    .select('user_id')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores a ban, and withdraws the user's admission to a private room. Idempotent.
 * @throws AppError invalid_input if the room has `limits.roomBansMax` others
 */
export async function insertBan(
  { db, clock }: { db: Db; clock: Clock },
  ban: { roomId: string; userId: string; bannedBy: string },
): Promise<void> {
  const { roomId, userId, bannedBy } = ban
  const created_at = Math.round(clock.now())
  await db.transaction().execute(async (change) => {
    const { count } = await change
      .selectFrom('room_bans')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('room_id', '=', roomId)
      .where('user_id', '!=', userId)
      .executeTakeFirstOrThrow()
    if (count >= limits.roomBansMax) throw new AppError('invalid_input', fullText)
    await change
      .insertInto('room_bans')
      .values({ room_id: roomId, user_id: userId, banned_by: bannedBy, address_hash: null, created_at })
      .onConflict((conflict) => conflict.columns(['room_id', 'user_id']).doNothing())
      .execute()
    await change
      .deleteFrom('room_access')
      .where('room_id', '=', roomId)
      .where('user_id', '=', userId)
      .execute()
  })
}

/** Idempotent. */
export async function deleteBan(db: Db, roomId: string, userId: string): Promise<void> {
  await db.deleteFrom('room_bans').where('room_id', '=', roomId).where('user_id', '=', userId).execute()
}

/** Lists the bans of a room, latest first. */
export async function listBans(db: Db, roomId: string): Promise<RoomBan[]> {
  const rows = await db
    .selectFrom('room_bans')
    .leftJoin('profiles', 'profiles.id', 'room_bans.user_id')
    .select(['room_bans.user_id', 'room_bans.created_at', 'profiles.username', 'profiles.avatar_url'])
    .where('room_bans.room_id', '=', roomId)
    .orderBy('room_bans.created_at', 'desc')
    .orderBy('room_bans.user_id')
    .limit(limits.roomBansMax)
    .execute()
  return rows.map((row) => ({ ...row, username: row.username ?? unknownUsername }))
}

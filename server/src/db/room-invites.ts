import type { Clock } from '@earshot/core/clock'
import type { ExpressionBuilder } from 'kysely'
import { hashToken, newToken } from '../crypto/tokens.ts'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'
import { serverLimits } from '../server-limits.ts'

/** An invite link's token. It is stored only as a hash, so it cannot be shown again. */
export interface RoomInvite {
  token: string
  /** ms since the epoch. */
  expiresAt: number
}

const tokenBytes = 16

/**
 * Creates an invite for so many users, or for any number of them. Used ones of the room are deleted, and its oldest ones
 * beyond `serverLimits.roomInvitesMax` end.
 */
export async function createInvite(
  db: Db,
  clock: Clock,
  { roomId, uses }: { roomId: string; uses: number | null },
): Promise<RoomInvite> {
  const token = newToken(tokenBytes)
  const createdAt = Math.round(clock.now())
  const expiresAt = createdAt + serverLimits.roomInviteMs
  await db
    .insertInto('room_invites')
    .values({
      token_hash: hashToken(token),
      room_id: roomId,
      created_at: createdAt,
      expires_at: expiresAt,
      uses_left: uses,
    })
    .execute()
  const kept = db
    .selectFrom('room_invites')
    .select('token_hash')
    .where('room_id', '=', roomId)
    .where(isUnused)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(serverLimits.roomInvitesMax)
  await db
    .deleteFrom('room_invites')
    .where('room_id', '=', roomId)
    .where('token_hash', 'not in', kept)
    .execute()
  return { token, expiresAt }
}

/** Whether a token admits to a room now. */
export async function isInvited(db: Db, clock: Clock, roomId: string, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('room_invites')
    .select('room_id')
    .where('token_hash', '=', hashToken(token))
    .where('room_id', '=', roomId)
    .where('expires_at', '>', Math.round(clock.now()))
    .where(isUnused)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes one use of an invite. Resolves to whether it admits; of users who come at once, only as many as it has uses. */
export async function takeInvite(db: Db, clock: Clock, roomId: string, token: string): Promise<boolean> {
  if (!(await isInvited(db, clock, roomId, token))) return false
  const { numUpdatedRows } = await db
    .updateTable('room_invites')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where(isUnused)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends all invites of a room. Users whom they admitted stay admitted. */
export async function revokeInvites(db: Db, roomId: string): Promise<void> {
  await db.deleteFrom('room_invites').where('room_id', '=', roomId).execute()
}

/** Whether an invite admits another user. */
function isUnused(eb: ExpressionBuilder<Database, 'room_invites'>) {
  return eb.or([eb('uses_left', 'is', null), eb('uses_left', '>', 0)])
}

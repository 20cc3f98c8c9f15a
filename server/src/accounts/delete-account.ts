import { sql } from 'kysely'
import type { Logger } from 'pino'
import { deleteResetTokens } from '../auth/reset-tokens.ts'
import type { Db } from '../db/database.ts'
import type { EventBus } from '../events.ts'
import type { Membership } from '../presence/membership.ts'

export interface AccountDeletionParts {
  db: Db
  logger: Logger
  events: EventBus
  membership: Pick<Membership, 'leaveEverywhere'>
}

/** What ended with an account. */
interface Ended {
  sessionIds: string[]
  /** Of the user, and of all members of the user's rooms. */
  memberships: { roomId: string; userId: string }[]
}

/**
 * Deletes an account with all that belongs to it, and the user's rooms (decision 044). Then removes the members of these
 * rooms, and ends the user's connections.
 */
export async function deleteAccount(parts: AccountDeletionParts, userId: string): Promise<void> {
  const { db, events, logger, membership } = parts
  const { sessionIds, memberships } = await db.transaction().execute((change) => deleteRows(change, userId))
  try {
    for (const { roomId, userId: memberId } of memberships) await membership.leaveEverywhere(roomId, memberId)
  } catch (error) {
    logger.warn({ err: error }, 'Could not remove all members of deleted rooms; their leases will expire')
  }
  for (const sessionId of sessionIds) await events.emit('sessionEnded', { sessionId, isRemote: false })
}

/** Queues, memberships and messages go with their rooms; sessions and connected accounts go with the user. */
async function deleteRows(db: Db, userId: string): Promise<Ended> {
  const sessions = await sql<{ id: string }>`select "id" from "session" where "userId" = ${userId}`.execute(
    db,
  )
  const ownRooms = db.selectFrom('rooms').select('id').where('owner_id', '=', userId)
  const memberships = await db
    .selectFrom('user_rooms')
    .select(['room_id as roomId', 'user_id as userId'])
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('room_id', 'in', ownRooms)]))
    .execute()
  await db.deleteFrom('rooms').where('owner_id', '=', userId).execute()
  await db.deleteFrom('user_rooms').where('user_id', '=', userId).execute()
  await db.deleteFrom('room_access').where('user_id', '=', userId).execute()
  await db.deleteFrom('room_bans').where('user_id', '=', userId).execute()
  await db.updateTable('room_bans').set({ banned_by: null }).where('banned_by', '=', userId).execute()
  await db.deleteFrom('listening_time').where('user_id', '=', userId).execute()
  await db.deleteFrom('profiles').where('id', '=', userId).execute()
  await deleteResetTokens(db, userId)
  await sql`delete from "user" where "id" = ${userId}`.execute(db)
  return { sessionIds: sessions.rows.map(({ id }) => id), memberships }
}

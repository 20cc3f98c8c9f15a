import { sql } from 'kysely'
import type { Logger } from 'pino'
import { deleteResetTokens } from '../auth/reset-tokens.ts'
import type { Db } from '../db/database.ts'
import { deleteMessagesOfRoom } from '../db/messages.ts'
import type { EventBus } from '../events.ts'
import type { Membership } from '../presence/membership.ts'

export interface AccountDeletionParts {
  db: Db
  logger: Logger
  events: EventBus
  membership: Pick<Membership, 'leaveEverywhere' | 'closeRoom'>
}

/** The sessions and rooms that ended with an account. */
interface Ended {
  sessionIds: string[]
  /** The user's own rooms, which are deleted. */
  ownRoomIds: string[]
  /** The other rooms in which the user is a member. */
  otherRoomIds: string[]
}

/**
 * Deletes an account with all that belongs to it, and the user's rooms (decision 044). Then removes the members of these
 * rooms, and ends the user's connections.
 */
export async function deleteAccount(parts: AccountDeletionParts, userId: string): Promise<void> {
  const { db, events, logger, membership } = parts
  const { sessionIds, ownRoomIds, otherRoomIds } = await deleteAccountRows(db, userId)
  try {
    for (const roomId of ownRoomIds) await membership.closeRoom(roomId, 'deleted')
    for (const roomId of otherRoomIds) await membership.leaveEverywhere(roomId, userId)
  } catch (error) {
    logger.warn({ err: error }, 'Could not remove all members of deleted rooms; their leases will expire')
  }
  for (const sessionId of sessionIds) await events.emit('sessionEnded', { sessionId, isRemote: false })
}

/** Deletes an account from the database alone: a server that runs notices within seconds. */
export async function deleteAccountRows(db: Db, userId: string): Promise<Ended> {
  for (const { id } of await listOwnRooms(db, userId)) await deleteMessagesOfRoom(db, id)
  return db.transaction().execute((change) => deleteRows(change, userId))
}

/** Queues, memberships and messages go with their rooms; sessions and connected accounts go with the user. */
async function deleteRows(db: Db, userId: string): Promise<Ended> {
  const sessions = await sql<{ id: string }>`select "id" from "session" where "userId" = ${userId}`.execute(
    db,
  )
  const ownRoomIds = (await listOwnRooms(db, userId)).map(({ id }) => id)
  const memberships = await db
    .selectFrom('user_rooms')
    .select('room_id')
    .where('user_id', '=', userId)
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
  const otherRoomIds = memberships.map(({ room_id }) => room_id).filter((id) => !ownRoomIds.includes(id))
  return { sessionIds: sessions.rows.map(({ id }) => id), ownRoomIds, otherRoomIds }
}

const listOwnRooms = (db: Db, userId: string): Promise<{ id: string }[]> =>
  db.selectFrom('rooms').select('id').where('owner_id', '=', userId).execute()

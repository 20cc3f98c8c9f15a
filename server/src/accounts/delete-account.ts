import { unknownUsername } from '@earshot/core/protocol/entities'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { deleteResetTokens } from '../auth/reset-tokens.ts'
import type { Db } from '../db/database.ts'
import { deleteMessagesOfRoom, listRoomsOfAuthor } from '../db/messages.ts'
import { findUsernames } from '../db/profiles.ts'
import type { EventBus } from '../events.ts'
import type { Membership } from '../presence/membership.ts'

export interface AccountDeletionParts {
  db: Db
  logger: Logger
  events: EventBus
  membership: Pick<Membership, 'leaveEverywhere' | 'closeRoom'>
}

/** What ended with an account. */
interface Ended {
  username: string
  sessionIds: string[]
  /** The user's own rooms, which are deleted. */
  ownRoomIds: string[]
  /** The other rooms in which the user is a member. */
  otherRoomIds: string[]
  /** The rooms that have messages of the user. */
  chatRoomIds: string[]
}

/**
 * Deletes an account with all that belongs to it, and the user's rooms (decision 044). Then removes the members of these
 * rooms, ends the user's connections, and tells the other rooms.
 */
export async function deleteAccount(parts: AccountDeletionParts, userId: string): Promise<void> {
  const ended = await deleteAccountRows(parts.db, userId)
  await parts.events.emit('accountDeleted', { userId, username: ended.username })
  await leaveAll(parts, userId, ended)
  const author = { user_id: userId, username: unknownUsername, avatar_url: null }
  for (const roomId of ended.chatRoomIds) void parts.events.emit('authorChanged', { roomId, userId, author })
}

/** Deletes a guest whose account has all that was theirs: nobody is told that they left. */
export async function deleteMergedGuest(parts: AccountDeletionParts, guestId: string): Promise<void> {
  const ended = await deleteAccountRows(parts.db, guestId)
  await parts.events.emit('accountDeleted', { userId: guestId, username: null })
  await leaveAll(parts, guestId, ended)
}

async function leaveAll(parts: AccountDeletionParts, userId: string, ended: Ended): Promise<void> {
  const { events, logger, membership } = parts
  const { sessionIds, ownRoomIds, otherRoomIds } = ended
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
  const username = (await findUsernames(db, [userId])).get(userId) ?? unknownUsername
  await db.deleteFrom('rooms').where('owner_id', '=', userId).execute()
  const chatRoomIds = await listRoomsOfAuthor(db, userId)
  await db.deleteFrom('user_rooms').where('user_id', '=', userId).execute()
  await db.deleteFrom('room_access').where('user_id', '=', userId).execute()
  await db.deleteFrom('room_bans').where('user_id', '=', userId).execute()
  await db.updateTable('room_bans').set({ banned_by: null }).where('banned_by', '=', userId).execute()
  await db.deleteFrom('listening_time').where('user_id', '=', userId).execute()
  await db.deleteFrom('profiles').where('id', '=', userId).execute()
  await deleteResetTokens(db, userId)
  await sql`delete from "user" where "id" = ${userId}`.execute(db)
  const otherRoomIds = memberships.map(({ room_id }) => room_id).filter((id) => !ownRoomIds.includes(id))
  return { username, sessionIds: sessions.rows.map(({ id }) => id), ownRoomIds, otherRoomIds, chatRoomIds }
}

const listOwnRooms = (db: Db, userId: string): Promise<{ id: string }[]> =>
  db.selectFrom('rooms').select('id').where('owner_id', '=', userId).execute()

import { type Message, unknownUsername } from '@earshot/core/protocol/entities'
import type { Insertable } from 'kysely'
import { sortableIdsFrom } from '../ids.ts'
import type { Db } from './database.ts'
import type { MessagesTable } from './schema.ts'

/** The chat of each room (7.6). Ids sort by time, so they are both order and cursor. */

/** Inserts a message. Resolves to false if the user has already sent one with this client's id to the room. */
export async function insertMessage(db: Db, row: Insertable<MessagesTable>): Promise<boolean> {
  const query = db
    .insertInto('messages')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  const { numInsertedOrUpdatedRows = 0n } = await query.executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Deletes the oldest messages of a room beyond the latest `keep`, up to `most` at a time. */
export async function trimMessages(
  db: Db,
  roomId: string,
  bounds: { keep: number; most: number },
): Promise<void> {
  const ofRoom = db.selectFrom('messages').select('id').where('room_id', '=', roomId)
  const oldestKept = ofRoom
    .orderBy('id', 'desc')
    .limit(1)
    .offset(bounds.keep - 1)
  const surplus = ofRoom.where('id', '<', oldestKept).orderBy('id').limit(bounds.most)
  await db.deleteFrom('messages').where('id', 'in', surplus).execute()
}

export async function findMessage(db: Db, messageId: string): Promise<Message | null> {
  const row = await selectMessages(db).where('messages.id', '=', messageId).executeTakeFirst()
  return row ? toMessage(row) : null
}

/** Deletes a message of a room. With `authorId`, only one of this author. Resolves to whether there was one. */
export async function deleteMessage(
  db: Db,
  { roomId, messageId, authorId }: { roomId: string; messageId: string; authorId: string | null },
): Promise<boolean> {
  let query = db.deleteFrom('messages').where('room_id', '=', roomId).where('id', '=', messageId)
  if (authorId !== null) query = query.where('user_id', '=', authorId)
  const { numDeletedRows } = await query.executeTakeFirst()
  return numDeletedRows > 0
}

/** Finds a user's message in a room by the id that the user's client gave it. */
export async function findByClientId(
  db: Db,
  sender: { roomId: string; userId: string },
  clientMessageId: string,
): Promise<Message | null> {
  const row = await selectMessages(db)
    .where('messages.room_id', '=', sender.roomId)
    .where('messages.user_id', '=', sender.userId)
    .where('messages.client_message_id', '=', clientMessageId)
    .executeTakeFirst()
  return row ? toMessage(row) : null
}

/** Lists the rooms in which a user wrote messages that are kept. */
export async function listRoomsOfAuthor(db: Db, userId: string): Promise<string[]> {
  const query = db.selectFrom('messages').select('room_id').distinct().where('user_id', '=', userId)
  return (await query.execute()).map(({ room_id }) => room_id)
}

/** Lists up to `limit` messages before the message `beforeId`, or the latest ones, oldest first. */
export async function listMessagesBefore(
  db: Db,
  roomId: string,
  page: { beforeId: string | null; limit: number },
): Promise<Message[]> {
  let query = selectMessages(db).where('messages.room_id', '=', roomId)
  if (page.beforeId !== null) query = query.where('messages.id', '<', page.beforeId)
  const rows = await query.orderBy('messages.id', 'desc').limit(page.limit).execute()
  return rows.reverse().map(toMessage)
}

/** Lists the latest `limit` messages of several rooms since a time, oldest first. */
export async function listMessagesSince(
  db: Db,
  roomIds: readonly string[],
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<Message[]> {
  const query = selectMessages(db).where('messages.id', '>=', sortableIdsFrom(sinceMs))
  const rows = await query
    .where('messages.room_id', 'in', roomIds)
    .orderBy('messages.id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map(toMessage)
}

function selectMessages(db: Db) {
  return db
    .selectFrom('messages')
    .leftJoin('profiles', 'profiles.id', 'messages.user_id')
    .selectAll('messages')
    .select(['profiles.username', 'profiles.avatar_url', 'profiles.is_guest'])
}

type MessageRow = Awaited<ReturnType<ReturnType<typeof selectMessages>['execute']>>[number]

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    room_id: row.room_id,
    user_id: row.user_id,
    username: row.username ?? unknownUsername,
    avatar_url: row.avatar_url,
    ...(row.is_guest === 1 ? { is_guest: true } : {}),
    content: row.content,
    created_at: row.created_at,
    ...(row.client_message_id === null ? {} : { client_message_id: row.client_message_id }),
  }
}

/** Rows per statement. Other queries run between two of them. */
const deletedAtOnce = 500

/** Deletes the messages of a room in small steps. Otherwise they go with its row, and hold up all others until then. */
export async function deleteMessagesOfRoom(db: Db, roomId: string): Promise<void> {
  for (;;) {
    const oldest = db
      .selectFrom('messages')
      .select('id')
      .where('room_id', '=', roomId)
      .orderBy('id')
      .limit(deletedAtOnce)
    const { numDeletedRows } = await db.deleteFrom('messages').where('id', 'in', oldest).executeTakeFirst()
    if (numDeletedRows < deletedAtOnce) return
  }
}

/** Deletes the messages of a user in a room up to `upToId`, in small steps. */
export async function deleteMessagesOfUser(
  db: Db,
  { roomId, userId, upToId }: { roomId: string; userId: string; upToId: string },
): Promise<void> {
  const ofUser = db
    .selectFrom('messages')
    .select('id')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .where('id', '<=', upToId)
  // Read apart: a delete that looked for them among those of all others would hold up who writes.
  let afterId: string | undefined = ''
  while (afterId !== undefined) {
    const rows = await ofUser.where('id', '>', afterId).orderBy('id').limit(deletedAtOnce).execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await db.deleteFrom('messages').where('id', 'in', ids).execute()
    afterId = ids.length < deletedAtOnce ? undefined : ids.at(-1)
  }
}

import type { Db } from '../db/database.ts'
import { writeName } from '../db/users.ts'
import { moveBans } from '../db/room-bans.ts'
import { listRoomsOfAuthor } from '../db/messages.ts'
import { findProfile } from '../db/profiles.ts'
import { type AccountDeletionParts, deleteMergedGuest } from './delete-account.ts'

/** Moves to an account what a guest did before signing in to it, and deletes the guest. */
export function startGuestMerge(parts: AccountDeletionParts): void {
  parts.events.on('guestSignedIn', async ({ guestId, userId }) => {
    const chatRoomIds = await listRoomsOfAuthor(parts.db, guestId)
    await parts.db.transaction().execute(async (change) => {
      await moveRows(change, guestId, userId)
      if (await takesName(change, guestId, userId)) await moveName(change, guestId, userId)
    })
    await deleteMergedGuest(parts, guestId)
    const { username = '', avatar_url = null } = (await findProfile(parts.db, userId)) ?? {}
    const author = { user_id: userId, username, avatar_url }
    for (const roomId of chatRoomIds)
      void parts.events.emit('authorChanged', { roomId, userId: guestId, author })
  })
}

/**
 * Moves messages, queue entries, played tracks, the controls of rooms, memberships, admissions, bans and listening
 * time. Guests have no other rows.
 */
async function moveRows(db: Db, guestId: string, userId: string): Promise<void> {
  // Without the ids of the guest's client, which may be those of messages of the account.
  const messages = { user_id: userId, client_message_id: null }
  await db.updateTable('messages').set(messages).where('user_id', '=', guestId).execute()
  await db.updateTable('room_tracks').set({ added_by: userId }).where('added_by', '=', guestId).execute()
  await db.updateTable('room_history').set({ added_by: userId }).where('added_by', '=', guestId).execute()
  await db.updateTable('rooms').set({ controller_id: userId }).where('controller_id', '=', guestId).execute()
  await moveBans(db, guestId, userId)
  const bannedFrom = db.selectFrom('room_bans').select('room_id').where('user_id', '=', userId)
  await db
    .insertInto('user_rooms')
    .columns(['user_id', 'room_id', 'joined_at'])
    .expression((eb) =>
      eb
        .selectFrom('user_rooms')
        .select((row) => [row.val(userId).as('user_id'), 'room_id', 'joined_at'])
        .where('user_id', '=', guestId)
        .where('room_id', 'not in', bannedFrom),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id']).doNothing())
    .execute()
  await db
    .insertInto('room_access')
    .columns(['user_id', 'room_id', 'granted_at'])
    .expression((eb) =>
      eb
        .selectFrom('room_access')
        .select((row) => [row.val(userId).as('user_id'), 'room_id', 'granted_at'])
        .where('user_id', '=', guestId)
        .where('room_id', 'not in', bannedFrom),
    )
    .onConflict((conflict) => conflict.columns(['room_id', 'user_id']).doNothing())
    .execute()
  await moveListeningTime(db, guestId, userId)
}

async function moveListeningTime(db: Db, guestId: string, userId: string): Promise<void> {
  const guest = await db
    .selectFrom('listening_time')
    .selectAll()
    .where('user_id', '=', guestId)
    .executeTakeFirst()
  if (!guest) return
  await db
    .insertInto('listening_time')
    .values({ ...guest, user_id: userId })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        library_ms: eb('listening_time.library_ms', '+', guest.library_ms),
        spotify_ms: eb('listening_time.spotify_ms', '+', guest.spotify_ms),
        youtube_ms: eb('listening_time.youtube_ms', '+', guest.youtube_ms),
      })),
    )
    .execute()
}

/** Whether the guest created the account, which has had no other name since. */
async function takesName(db: Db, guestId: string, userId: string): Promise<boolean> {
  const account = await db
    .selectFrom('profiles')
    .select('takes_name_of')
    .where('id', '=', userId)
    .executeTakeFirst()
  return account?.takes_name_of === guestId
}

/** Names are unique, so the guest, who is deleted next, gives theirs up first. */
async function moveName(db: Db, guestId: string, userId: string): Promise<void> {
  const guest = await db
    .selectFrom('profiles')
    .select(['username', 'name_key', 'name_look'])
    .where('id', '=', guestId)
    .executeTakeFirst()
  if (!guest) return
  const none = { username: guestId, name_key: guestId, name_look: guestId }
  await db.updateTable('profiles').set(none).where('id', '=', guestId).execute()
  await db
    .updateTable('profiles')
    .set({ ...guest, takes_name_of: null })
    .where('id', '=', userId)
    .execute()
  await writeName(db, userId, guest.username)
}

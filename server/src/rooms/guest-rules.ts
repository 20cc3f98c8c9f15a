import { AppError } from '@earshot/core/protocol/errors'
import type { SessionUser } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { type RoomRow, findRoom } from '../db/rooms.ts'
import { isMemberAnywhere } from '../db/user-rooms.ts'
import { parseRoomSettings } from './store/stored-room.ts'

/** What rooms let users without an account do (decision 048). */

/** Somebody who asks to enter a room or to do something in it. */
export type Visitor = Pick<SessionUser, 'id' | 'isGuest'>

/** Whether a room admits guests; `isInvited`: by one of its invite links, now or earlier. */
export function admitsGuests({ settings }: Pick<RoomRow, 'settings'>, isInvited: boolean): boolean {
  const { guests } = parseRoomSettings(settings)
  return guests === 'everyone' || (guests === 'invited' && isInvited)
}

/** @throws AppError guests_cannot_chat, or room_not_found */
export async function requireGuestsChat(db: Db, roomId: string): Promise<void> {
  const room = await findRoom(db, roomId)
  if (!room) throw new AppError('room_not_found')
  if (!parseRoomSettings(room.row.settings).guestsChat) throw new AppError('guests_cannot_chat')
}

/** Lets guests search and browse only while they are in a room. @throws AppError not_a_member */
export async function requireRoomOfGuest(db: Db, { id, isGuest }: Visitor): Promise<void> {
  if (isGuest && !(await isMemberAnywhere(db, id))) throw new AppError('not_a_member')
}

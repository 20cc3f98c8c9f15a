import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import type { RoomKey } from '@earshot/core/protocol/validation'
import { createBatched } from '../async/batched.ts'
import type { Db } from '../db/database.ts'
import { findAdmissions, insertRoomAccess, listRoomAccess, isMemberAnywhere } from '../db/user-rooms.ts'
import { type RoomRow, lockRoom, requireRoom } from '../db/rooms.ts'
import type { SessionUser } from '../auth/session.ts'
import { takeInvite } from '../db/room-invites.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import { verifyRoomPassword } from './room-password.ts'
import { parseRoomSettings } from './store/stored-room.ts'

/**
 * Access to rooms: private ones are for the owner and users who gave the password once (6.4), guests come as the
 * room's settings say.
 */
export interface RoomAccess {
  /**
   * Resolves if the user may enter; a correct password or a valid invite grants access for good.
   * @throws AppError guests_not_admitted, password_required, wrong_password, or rate_limited after too many attempts
   */
  admit(room: RoomRow, user: Visitor, key: AddressedKey): Promise<void>
  /** Resolves to whether the viewer may see the playback of the room. */
  isAdmitted(room: RoomRow, userId: string | null): Promise<boolean>
  /** As `isAdmitted` for many rooms with one query: resolves to a predicate. */
  findAdmitted(userId: string | null): Promise<(room: RoomRow) => boolean>
}

/** `address`: the key of the one that the user comes from (`connectionKey`). */
export type AddressedKey = RoomKey & { address?: string | null }

export function createRoomAccess(parts: { db: Db; clock: Clock; attempts: PasswordAttempts }): RoomAccess {
  const { db, clock, attempts } = parts
  // Those who join at once share a statement.
  const hasRoomAccess = createBatched((keys: readonly { roomId: string; userId: string }[]) =>
    findAdmissions(db, keys),
  )

  const isAdmitted = async (room: RoomRow, userId: string | null): Promise<boolean> =>
    isOpenTo(room, userId) || (userId !== null && (await hasRoomAccess({ roomId: room.id, userId })))

  /**
   * Grants access for good where `isValid` resolves to true. Runs under the lock of the room, which a new password
   * holds while it ends all invites and admissions. Resolves to the room as it is.
   */
  const grant = (
    roomId: string,
    userId: string,
    isValid: (row: RoomRow, change: Db) => boolean | Promise<boolean>,
  ): Promise<{ row: RoomRow; isGranted: boolean }> =>
    db.transaction().execute(async (change) => {
      const row = await lockRoom(change, roomId)
      const isGranted = await isValid(row, change)
      if (isGranted) await insertRoomAccess(change, { roomId, userId, grantedAtMs: clock.now() })
      return { row, isGranted }
    })

  const admit: RoomAccess['admit'] = async (room, user, { password, invite, address = null }) => {
    const userId = user.id
    if (!user.isGuest && isOpenTo(room, userId)) return
    const wasAdmitted = await hasRoomAccess({ roomId: room.id, userId })
    // Also to a public room: a guest needs no link to come back.
    if (invite && !wasAdmitted && (!user.isGuest || admitsGuests(room, true))) {
      const take = (_row: RoomRow, change: Db) => takeInvite(change, clock, room.id, invite)
      if ((await grant(room.id, userId, take)).isGranted) return
    }
    if (user.isGuest && !admitsGuests(room, wasAdmitted)) throw new AppError('guests_not_admitted')
    if (wasAdmitted || isOpenTo(room, userId)) return
    if (!password?.trim()) throw new AppError('password_required')
    const attempt = { roomId: room.id, userId, address }
    await attempts.take(attempt)
    if (!(await verifyRoomPassword(password, room.password ?? ''))) throw new AppError('wrong_password')
    const { row, isGranted } = await grant(room.id, userId, (stored) => stored.password === room.password)
    // The password changed while this one was verified.
    if (!isGranted) return await admit(row, user, { password, address })
    await attempts.forgive(attempt)
  }

  return {
    isAdmitted,
    admit,
    async findAdmitted(userId) {
      const granted = userId === null ? new Set<string>() : await listRoomAccess(db, userId)
      return (room) => isOpenTo(room, userId) || granted.has(room.id)
    },
  }
}

function isOpenTo(room: RoomRow, userId: string | null): boolean {
  return room.is_public === 1 || room.owner_id === userId
}

/** Somebody who asks to enter a room or to do something in it. */
export type Visitor = Pick<SessionUser, 'id' | 'isGuest'>

/** Whether a room admits guests; `isInvited`: by one of its invite links, now or earlier. */
export function admitsGuests({ settings }: Pick<RoomRow, 'settings'>, isInvited: boolean): boolean {
  const { guests } = parseRoomSettings(settings)
  return guests === 'everyone' || (guests === 'invited' && isInvited)
}

/** @throws AppError guests_cannot_chat, or room_not_found */
export async function requireGuestsChat(db: Db, roomId: string): Promise<void> {
  const { row } = await requireRoom(db, roomId)
  if (!parseRoomSettings(row.settings).guestsChat) throw new AppError('guests_cannot_chat')
}

/** Lets guests search and browse only while they are in a room. @throws AppError not_a_member */
export async function requireRoomOfGuest(db: Db, { id, isGuest }: Visitor): Promise<void> {
  if (isGuest && !(await isMemberAnywhere(db, id))) throw new AppError('not_a_member')
}

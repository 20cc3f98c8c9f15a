import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Db } from '../db/database.ts'
import { hasRoomAccess, insertRoomAccess, listRoomAccess } from '../db/room-access.ts'
import type { RoomRow } from '../db/rooms.ts'
import { verifyRoomPassword } from './room-password.ts'
import { takePoint } from '../limits/rate-limits.ts'

/** Who may enter a private room: its owner, and whoever gave its password once (6.4). */
export interface RoomAccess {
  /**
   * Resolves where the user may enter, and remembers a user who gave the right password.
   * @throws AppError password_required, wrong_password, or rate_limited after too many tries
   */
  admit(room: RoomRow, userId: string, password: string | null): Promise<void>
  /** Whether the viewer may see what plays in the room. */
  isAdmitted(room: RoomRow, userId: string | null): Promise<boolean>
  /** The same for many rooms in one read: resolves to a function that answers for each. */
  findAdmitted(userId: string | null): Promise<(room: RoomRow) => boolean>
}

export function createRoomAccess(parts: { db: Db; clock: Clock; tries: RateLimiterAbstract }): RoomAccess {
  const { db, clock, tries } = parts

  const isAdmitted = async (room: RoomRow, userId: string | null): Promise<boolean> =>
    isOpenTo(room, userId) || (userId !== null && (await hasRoomAccess(db, room.id, userId)))

  return {
    isAdmitted,
    async admit(room, userId, password) {
      if (await isAdmitted(room, userId)) return
      if (password === null || password.trim() === '') throw new AppError('password_required')
      const key = `${room.id}:${userId}`
      await takePoint(tries, key)
      if (!(await verifyRoomPassword(password, room.password ?? ''))) throw new AppError('wrong_password')
      await insertRoomAccess(db, { roomId: room.id, userId, grantedAtMs: clock.now() })
      await tries.delete(key)
    },
    async findAdmitted(userId) {
      const granted = userId === null ? new Set<string>() : await listRoomAccess(db, userId)
      return (room) => isOpenTo(room, userId) || granted.has(room.id)
    },
  }
}

function isOpenTo(room: RoomRow, userId: string | null): boolean {
  return room.is_public === 1 || room.owner_id === userId
}

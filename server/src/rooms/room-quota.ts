import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import { lockProfile } from '../db/profiles.ts'
import { countOwnedRooms } from '../db/rooms.ts'
import { serverLimits } from '../server-limits.ts'

/** @throws AppError too_many_rooms where a user may own no further room */
export async function requireRoomQuota(db: Db, userId: string): Promise<void> {
  if ((await countOwnedRooms(db, userId)) >= serverLimits.roomsPerUser) throw new AppError('too_many_rooms')
}

/** As `requireRoomQuota`, in a transaction that gives the user a room: the next one waits, and counts that room too. */
export async function takeRoomQuota(change: Db, userId: string): Promise<void> {
  await lockProfile(change, userId)
  await requireRoomQuota(change, userId)
}

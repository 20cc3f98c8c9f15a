import type { Clock } from '@earshot/core/clock'
import { createBatched, createBatchedLookup } from '../async/batched.ts'
import type { Db } from '../db/database.ts'
import { type StoredProfile, listProfiles } from '../db/profiles.ts'
import { type RoomRow, findRoomRows } from '../db/rooms.ts'
import { type NewMembership, insertMemberships } from '../db/user-rooms.ts'
import { type BanKey, findBanned, isAmongBans, listAddressBans } from '../db/room-bans.ts'
import { serverLimits } from '../server-limits.ts'

/**
 * The statements of a join. Joins that come at once share statements, and their memberships one commit, so that a
 * storm of joins costs few of them. Each read begins after its call.
 */
export interface JoinStatements {
  findRoom(roomId: string): Promise<RoomRow | null>
  findProfile(userId: string): Promise<StoredProfile | null>
  /** Resolves to whether the user themselves is banned. */
  isBanned(key: BanKey): Promise<boolean>
  /** Resolves to whether the user is a guest who came after a banned one from the same address. */
  isAddressBanned(roomId: string, user: { id: string; isGuest: boolean }): Promise<boolean>
  /** Idempotent. Resolves to whether the user was no member before. */
  insertMembership(membership: NewMembership): Promise<boolean>
}

export function createJoinStatements({ db, clock }: { db: Db; clock: Clock }): JoinStatements {
  const findAddressBans = createBatchedLookup((roomIds: string[]) =>
    listAddressBans(db, roomIds, clock.now() - serverLimits.guestBanMs),
  )
  return {
    findRoom: createBatchedLookup((ids: string[]) => findRoomRows(db, ids)),
    findProfile: createBatchedLookup((ids: string[]) => listProfiles(db, ids)),
    isBanned: createBatched((keys: readonly BanKey[]) => findBanned(db, keys)),
    async isAddressBanned(roomId, { id, isGuest }) {
      if (!isGuest) return false
      return await isAmongBans(db, (await findAddressBans(roomId)) ?? [], { roomId, userId: id })
    },
    insertMembership: createBatched((memberships: readonly NewMembership[]) =>
      insertMemberships(db, memberships),
    ),
  }
}

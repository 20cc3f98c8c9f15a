import type { Clock } from '@earshot/core/clock'
import { AppError, hasCode } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import { refuseDeletedRoom } from '../db/rooms.ts'
import { deleteMemberships, listMemberships } from '../db/user-rooms.ts'
import type { EventBus } from '../events.ts'
import type { JoinStatements } from './join-statements.ts'
import type { Departure, Lease, Presence } from './presence.ts'
import { serverLimits } from '../server-limits.ts'

/** The stored memberships, which agree with who is present and with the bans. */
export interface StoredMembershipsParts {
  db: Db
  clock: Clock
  events: EventBus
  presence: Presence
  statements: JoinStatements
}

/** Memberships read at a time. */
const orphanPageSize = 500

/**
 * Stores a member. Resolves to whether they were none before.
 * @throws AppError room_not_found, banned
 */
async function storeMember(parts: StoredMembershipsParts, { roomId, userId }: Departure): Promise<boolean> {
  const membership = { userId, roomId, joinedAtMs: parts.clock.now() }
  const isNew = await refuseDeletedRoom(parts.statements.insertMembership(membership))
  // A ban ends the membership that it finds; this one may be later.
  if (!(await parts.statements.isBanned({ roomId, userId }))) return isNew
  await deleteMemberships(parts.db, roomId, [userId])
  throw new AppError('banned')
}

/** Stores and announces a newcomer. Where that fails, they are a newcomer the next time, too. */
export async function addMember(parts: StoredMembershipsParts, lease: Lease): Promise<void> {
  const { roomId, member } = lease
  const isBack = !(await storeMember(parts, lease).catch(async (error: unknown) => {
    await parts.presence.release([lease])
    throw error
  }))
  void parts.events.emit('memberJoined', { roomId, member, isBack })
}

/** Stores a present member, and announces them where their membership could not be stored before. */
export async function storeAgain(parts: StoredMembershipsParts, lease: Lease): Promise<void> {
  const { roomId, member } = lease
  if (await storeMember(parts, lease))
    void parts.events.emit('memberJoined', { roomId, member, isBack: false })
}

/** Ends the memberships of users who are no longer present. */
export async function endMemberships(parts: StoredMembershipsParts, departures: Departure[]): Promise<void> {
  const byRoom = Map.groupBy(departures, (departure) => departure.roomId)
  for (const [roomId, gone] of byRoom) {
    const userIds = gone.map((departure) => departure.userId)
    await parts.events.emit('membersLeaving', { roomId, userIds })
    await deleteUnlessPresent(parts, roomId, userIds)
    void parts.events.emit('membersChanged', { roomId })
  }
}

/** Removes memberships whose user is not present, but recent ones. Resolves to the number removed. */
export async function removeOrphans(parts: StoredMembershipsParts): Promise<number> {
  const beforeMs = parts.clock.now() - serverLimits.orphanGraceMs
  let removed = 0
  let after: Departure | null = null
  for (;;) {
    const page = await listMemberships(parts.db, { beforeMs, after, limit: orphanPageSize })
    for (const [roomId, memberships] of Map.groupBy(page, (membership) => membership.roomId)) {
      const userIds = memberships.map((membership) => membership.userId)
      const present = await parts.presence.findPresent(roomId, userIds)
      const absent = userIds.filter((userId) => !present.has(userId))
      if (absent.length === 0) continue
      await deleteUnlessPresent(parts, roomId, absent)
      // Those who were expired by a command whose answer was lost have not been announced.
      void parts.events.emit('membersChanged', { roomId })
      removed += absent.length
    }
    after = page.at(-1) ?? null
    if (page.length < orphanPageSize) return removed
  }
}

/** Deletes memberships. Users who came back in the meantime keep theirs. */
async function deleteUnlessPresent(
  parts: StoredMembershipsParts,
  roomId: string,
  userIds: string[],
): Promise<void> {
  if (userIds.length === 0) return
  await deleteMemberships(parts.db, roomId, userIds)
  const back = await parts.presence.findPresent(roomId, userIds)
  for (const userId of back) await storeMember(parts, { roomId, userId }).catch(ignoreRefusal)
}

/** Whether a member could not be stored because they may not be one. */
export const isRefused = (error: unknown): boolean => hasCode(error, 'room_not_found', 'banned')

function ignoreRefusal(error: unknown): void {
  if (!isRefused(error)) throw error
}

import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Db } from '../db/database.ts'
import { deleteMemberships, listMemberships } from '../db/user-rooms.ts'
import type { Presence } from './presence.ts'

/** Memberships read at a time. */
const pageSize = 500

/**
 * Removes memberships whose user is not present: those of a process that died, and of clients that did not come back
 * after a restart. Young ones are spared, they may be in the middle of joining. Resolves to how many were removed.
 */
export async function reapMemberships(parts: { db: Db; clock: Clock; presence: Presence }): Promise<number> {
  const { db, presence } = parts
  const beforeMs = parts.clock.now() - limits.reapStartGraceMs
  let removed = 0
  let after: { roomId: string; userId: string } | null = null
  for (;;) {
    const page = await listMemberships(db, { beforeMs, after, limit: pageSize })
    for (const [roomId, memberships] of Map.groupBy(page, (membership) => membership.roomId)) {
      const userIds = memberships.map((membership) => membership.userId)
      const present = await presence.findPresent(roomId, userIds)
      const absent = userIds.filter((userId) => !present.has(userId))
      if (absent.length > 0) await deleteMemberships(db, roomId, absent)
      removed += absent.length
    }
    after = page.at(-1) ?? null
    if (page.length < pageSize) return removed
  }
}

import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { Db } from '../db/database.ts'
import { deleteMemberships, listMemberships } from '../db/user-rooms.ts'
import type { Membership } from './membership.ts'
import type { Presence } from './presence.ts'

export interface PresenceExpiryParts {
  db: Db
  clock: Clock
  logger: Logger
  presence: Presence
  membership: Membership
}

/** Memberships read at a time. */
const pageSize = 500

/**
 * Renews presence leases, expires those that ran out, and removes orphaned memberships, each periodically. Returns a
 * function that stops it and resolves when no run is under way.
 */
export function startPresenceExpiry(parts: PresenceExpiryParts): () => Promise<void> {
  const { clock, logger, membership } = parts
  const every = (firstMs: number, everyMs: number, failure: string, task: () => Promise<unknown>) =>
    repeat(
      clock,
      { firstMs, everyMs },
      async () => void (await task()),
      (error) => logger.error({ err: error }, `${failure}; retrying in ${everyMs / 1_000} s`),
    )
  const { presenceRenewMs, presenceSweepMs, orphanGraceMs, orphanSweepMs } = limits
  const stops = [
    every(presenceRenewMs, presenceRenewMs, 'Could not renew presence leases', () =>
      membership.renewLeases(),
    ),
    every(presenceSweepMs, presenceSweepMs, 'Could not expire presence leases', () =>
      membership.expireLeases(),
    ),
    every(orphanGraceMs, orphanSweepMs, 'Could not remove orphaned memberships', () =>
      removeOrphanedMemberships(parts),
    ),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/**
 * Removes memberships whose user is not present: left behind by a process that died, or by clients that did not
 * reconnect after a restart. Recent ones are kept: their user may be in the middle of joining. Resolves to the number
 * removed.
 */
export async function removeOrphanedMemberships(
  parts: Pick<PresenceExpiryParts, 'db' | 'clock' | 'presence'>,
): Promise<number> {
  const { db, presence } = parts
  const beforeMs = parts.clock.now() - limits.orphanGraceMs
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

import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import type { Membership } from './membership.ts'
import type { Presence } from './presence.ts'
import { reapMemberships } from './presence-expiry.ts'
import { repeat } from '../async/repeat.ts'

/** Renews leases, lets go of those that ran out, and reaps memberships that nobody holds. Returns what stops it. */
export function keepPresence(parts: {
  db: Db
  clock: Clock
  logger: Logger
  presence: Presence
  membership: Membership
}): () => Promise<void> {
  const { clock, membership } = parts
  const keep = (timing: { firstMs: number; everyMs: number }, what: string, task: () => Promise<unknown>) =>
    repeat(
      clock,
      timing,
      async () => void (await task()),
      (error) => parts.logger.error({ err: error }, `could not ${what}`),
    )
  const renewal = { firstMs: limits.presenceRenewMs, everyMs: limits.presenceRenewMs }
  const sweep = { firstMs: limits.presenceSweepMs, everyMs: limits.presenceSweepMs }
  const reap = { firstMs: limits.reapStartGraceMs, everyMs: limits.reapIntervalMs }
  const stops = [
    keep(renewal, 'renew the presence of members', () => membership.renew()),
    keep(sweep, 'let go of members who are gone', () => membership.expire()),
    keep(reap, 'reap memberships', () => reapMemberships(parts)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

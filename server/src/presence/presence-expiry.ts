import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { EventBus } from '../events.ts'
import type { Membership } from './membership.ts'
import type { ProcessLeases } from './process-leases.ts'
import { serverLimits } from '../server-limits.ts'

interface PresenceExpiryParts {
  clock: Clock
  logger: Logger
  events: EventBus
  membership: Membership
  /** Null where the server is one process. */
  processes: ProcessLeases | null
}

/**
 * Renews presence leases, expires those that ran out, and removes orphaned memberships, each periodically. Where several
 * processes share presence, also renews the lease of this one, expires the members of processes that died, and emits
 * `broadcastsMissed`. Returns a function that stops it and resolves when no run is under way.
 */
export function startPresenceExpiry(parts: PresenceExpiryParts): () => Promise<void> {
  const { clock, logger, events, membership, processes } = parts
  const contact = createStoreContact(clock)
  const mayExpire = (): boolean => processes === null || contact.isSteady()
  const every = (firstMs: number, everyMs: number, failure: string, task: () => Promise<unknown>) =>
    repeat(
      clock,
      { firstMs, everyMs },
      async () => void (await task()),
      (error) => logger.error({ err: error }, `${failure}; retrying in ${everyMs / 1_000} s`),
    )
  const renewProcess = async (): Promise<void> => {
    const hasLostData = (await processes?.renew()) ?? false
    if (contact.note({ hasLostData })) await membership.renewLeases()
  }
  const { presenceRenewMs, presenceSweepMs, orphanGraceMs, orphanSweepMs, processRenewMs } = serverLimits
  const stops = [
    every(presenceRenewMs, presenceRenewMs, 'Could not renew presence leases', () =>
      membership.renewLeases(),
    ),
    every(presenceSweepMs, presenceSweepMs, 'Could not expire presence leases', async () => {
      if (!mayExpire()) return
      // It stored nothing before the last renewal of its lease.
      const sinceMs = clock.now() - serverLimits.processLeaseMs - presenceSweepMs
      if (await processes?.expireDead()) void events.emit('broadcastsMissed', { sinceMs, by: 'all' })
      // The processes may have stalled meanwhile: their leases look expired until they are renewed.
      if (mayExpire()) await membership.expireLeases()
    }),
    every(orphanGraceMs, orphanSweepMs, 'Could not remove orphaned memberships', async () => {
      // In a store that was emptied since the last renewal everybody looks absent.
      if (processes) await renewProcess()
      if (mayExpire()) await membership.removeOrphans()
    }),
  ]
  if (processes)
    stops.push(every(0, processRenewMs, 'Could not renew the lease of this process', renewProcess))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await processes?.release().catch(() => {
      // It ends by itself.
    })
  }
}

/**
 * Tracks the contact to the store that processes share. After an outage, or a stall of this process, leases look expired
 * only because nobody could renew them, so nobody may be removed until every process has had the time to renew.
 */
interface StoreContact {
  /** Notes an answer, and whether the store had lost what it held. Returns whether answers or data were interrupted. */
  note(answer?: { hasLostData: boolean }): boolean
  /** Whether answers have come without interruption for as long as the lease of a process lasts. */
  isSteady(): boolean
}

/** Silence that counts as an interruption: shorter than the lease, longer than a slow renewal. */
const interruptionMs = serverLimits.processLeaseMs / 2

export function createStoreContact(clock: Clock): StoreContact {
  let latestMs = clock.now()
  let steadySinceMs = latestMs
  // A clock that is set back interrupts as one that is set ahead.
  const isSilent = (): boolean => Math.abs(clock.now() - latestMs) > interruptionMs
  return {
    note({ hasLostData } = { hasLostData: false }) {
      const wasInterrupted = isSilent() || hasLostData
      latestMs = clock.now()
      if (wasInterrupted) steadySinceMs = latestMs
      return wasInterrupted
    },
    isSteady: () => !isSilent() && clock.now() - steadySinceMs >= serverLimits.processLeaseMs,
  }
}

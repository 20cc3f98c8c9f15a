import { hasCode } from '@earshot/core/protocol/errors'
import { inBatches } from '../async/in-batches.ts'
import type { HeldLeases } from './held-leases.ts'
import type { Lease } from './presence.ts'
import { type StoredMembershipsParts, addMember, isRefused, storeAgain } from './stored-memberships.ts'
import { serverLimits } from '../server-limits.ts'

/** Leases renewed in one call. */
const renewBatchSize = 500

/**
 * Returns a function that renews the held leases, and stores and announces the members who were absent. It rejects, once all
 * are tried, if a membership cannot be stored: the next renewal tries it again.
 */
export function createLeaseRenewal(parts: StoredMembershipsParts, held: HeldLeases): () => Promise<void> {
  // After a failure: it may have made members present, who are no newcomers the next time and may have no membership.
  let isUnsure = false
  return async () => {
    const storesAll = isUnsure
    isUnsure = true
    const failures: unknown[] = []
    for (const leases of inBatches(held.list(), renewBatchSize)) {
      const batch = leases.filter((lease) => held.has(lease))
      const newcomers = new Set(await parts.presence.acquire(batch, serverLimits.presenceLeaseMs))
      const store = (lease: Lease) =>
        newcomers.has(lease) ? addMember(parts, lease) : storeAgain(parts, lease)
      // At once: they share statements, and where the database does not answer, they wait for it together.
      await Promise.all(
        batch
          .filter((lease) => storesAll || newcomers.has(lease))
          .map((lease) =>
            store(lease).catch(async (error: unknown) => {
              if (isRefused(error)) await dropLease(parts, held, lease, error)
              else failures.push(error)
            }),
          ),
      )
    }
    if (failures.length > 0) throw failures[0]
    isUnsure = false
  }
}

/** Ends a lease whose member was banned, or whose room was deleted, by another process. */
async function dropLease(
  { presence, events }: StoredMembershipsParts,
  held: HeldLeases,
  lease: Lease,
  refusal: unknown,
): Promise<void> {
  const { roomId, userId } = lease
  held.remove(lease)
  await presence.release([lease])
  if (hasCode(refusal, 'room_not_found')) return
  // Its message did not arrive: the member's sockets are still in the room.
  void events.emit('userRemoved', { roomId, userId, reason: 'banned', isRemote: true })
}

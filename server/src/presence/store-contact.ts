import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'

/**
 * Tracks the contact to the store that processes share. After an outage, or a stall of this process, leases look expired
 * only because nobody could renew them, so nobody may be removed until every process has had the time to renew.
 */
export interface StoreContact {
  /** Notes an answer, and whether the store had lost what it held. Returns whether answers or data were interrupted. */
  note(answer?: { hasLostData: boolean }): boolean
  /** Whether answers have come without interruption for as long as the lease of a process lasts. */
  isSteady(): boolean
}

/** Silence that counts as an interruption: shorter than the lease, longer than a slow renewal. */
const interruptionMs = limits.processLeaseMs / 2

export function createStoreContact(clock: Clock): StoreContact {
  let latestMs = clock.now()
  let steadySinceMs = latestMs
  const isSilent = (): boolean => clock.now() - latestMs > interruptionMs
  return {
    note({ hasLostData } = { hasLostData: false }) {
      const wasInterrupted = isSilent() || hasLostData
      latestMs = clock.now()
      if (wasInterrupted) steadySinceMs = latestMs
      return wasInterrupted
    },
    isSteady: () => !isSilent() && clock.now() - steadySinceMs >= limits.processLeaseMs,
  }
}

import type { EventBus } from '../events.ts'
import type { Lease, LeaseKey } from './presence.ts'

/** The leases of this process's sockets, which it renews. */
export interface HeldLeases {
  add(lease: Lease): void
  has(lease: LeaseKey): boolean
  list(): Lease[]
  listOf(userId: string): Lease[]
  remove(lease: LeaseKey): void
  /** Removes all leases of a holder and returns them. */
  removeHolder(holderId: string): Lease[]
  removeUser(roomId: string, userId: string): void
}

/** Keeps them by holder, then by room. Those of closed rooms and removed users are dropped. */
export function createHeldLeases(events: EventBus): HeldLeases {
  const holders = new Map<string, Map<string, Lease>>()
  const removeUser = (roomId: string, userId: string): void => {
    for (const leases of holders.values()) {
      if (leases.get(roomId)?.userId === userId) leases.delete(roomId)
    }
  }
  events.on('userRemoved', ({ roomId, userId }) => removeUser(roomId, userId))
  events.on('roomClosed', ({ roomId }) => {
    for (const leases of holders.values()) leases.delete(roomId)
  })

  const list = (): Lease[] => [...holders.values()].flatMap((leases) => [...leases.values()])

  return {
    removeUser,
    add(lease) {
      const leases = holders.get(lease.holderId) ?? new Map<string, Lease>()
      holders.set(lease.holderId, leases.set(lease.roomId, lease))
    },
    has: (lease) => holders.get(lease.holderId)?.has(lease.roomId) ?? false,
    remove: (lease) => void holders.get(lease.holderId)?.delete(lease.roomId),
    removeHolder(holderId) {
      const leases = holders.get(holderId)
      holders.delete(holderId)
      return [...(leases?.values() ?? [])]
    },
    list,
    listOf: (userId) => list().filter((lease) => lease.userId === userId),
  }
}

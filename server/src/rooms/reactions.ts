import type { Clock } from '@earshot/core/clock'
import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import { effectiveRttMs } from '@earshot/core/sync/lead'
import { createKeyedThrottle } from '../async/keyed-throttle.ts'
import type { EventBus } from '../events.ts'
import type { SyncReports } from '../sync-reports/sync-reports.ts'
import { serverLimits } from '../server-limits.ts'

/** The reactions of rooms: counted for a moment, never stored. Callers check membership. */
export interface Reactions {
  /** Counts a reaction; `reactionsCounted` follows within `serverLimits.reactionBatchMs`. */
  add(roomId: string, kind: ReactionKind): void
  /** Discards what is counted. */
  close(): void
}

interface ReactionsParts {
  clock: Clock
  events: EventBus
  syncReports: Pick<SyncReports, 'audience'>
}

/**
 * Emits the first reaction of a room at once and the following ones in batches, with a count per kind: any number of
 * reactions costs a room one small broadcast per batch.
 */
export function createReactions({ clock, events, syncReports }: ReactionsParts): Reactions {
  const counted = new Map<string, Map<ReactionKind, number>>()
  const batches = createKeyedThrottle(clock, serverLimits.reactionBatchMs, (roomId) => {
    const counts = counted.get(roomId) ?? new Map<ReactionKind, number>()
    counted.delete(roomId)
    const items = [...counts].map(([kind, count]) => ({ kind, count }))
    const at = Math.round(clock.now() + reactionLeadMs(syncReports.audience(roomId).roundTripsMs))
    void events.emit('reactionsCounted', { roomId, at, items })
  })

  return {
    add(roomId, kind) {
      const counts = counted.get(roomId) ?? new Map<ReactionKind, number>()
      counted.set(roomId, counts.set(kind, (counts.get(kind) ?? 0) + 1))
      batches.request(roomId)
    },
    close() {
      batches.close()
      counted.clear()
    },
  }
}

/** Returns how long before they appear reactions are sent, so that they reach nearly all members in time. */
export function reactionLeadMs(roundTripsMs: number[]): number {
  return Math.min(
    serverLimits.reactionLeadMaxMs,
    Math.max(serverLimits.reactionLeadMinMs, effectiveRttMs(roundTripsMs)),
  )
}

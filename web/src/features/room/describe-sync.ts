import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import { syncBadge, syncTexts } from '../../texts/now-playing.ts'
import { people } from '../../texts/people.ts'

/** Describes a sync state as 'In sync · within 4 ms', or by its cause alone where there is no figure. */
export function describeSync(sync: ListenerSync): string {
  const { cause } = sync
  const boundMs = withinMs(sync)
  const hasFigure = boundMs !== null && (cause === 'in_sync' || cause === 'correcting')
  return hasFigure ? syncBadge.within(syncTexts[cause], Math.max(1, Math.ceil(boundMs))) : syncTexts[cause]
}

/**
 * Describes how well a member is in sync, from their last report; without one they do not listen. While the server cannot
 * be reached, whatever it reported is of before.
 */
export function describeMemberSync(report: ListenerSync | undefined, isConnected: boolean): string {
  if (!isConnected) return syncBadge.disconnected
  return report ? describeSync(report) : people.notListening
}

import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import { syncBadge, syncTexts } from '../../texts/now-playing.ts'

/** Describes a sync state as 'In sync · within 4 ms', or by its cause alone where there is no figure. */
export function describeSync(sync: ListenerSync): string {
  const { cause } = sync
  const boundMs = withinMs(sync)
  const hasFigure = boundMs !== null && (cause === 'in_sync' || cause === 'correcting')
  return hasFigure ? syncBadge.within(syncTexts[cause], Math.max(1, Math.ceil(boundMs))) : syncTexts[cause]
}

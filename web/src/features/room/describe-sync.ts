import type { SyncCause } from '@earshot/core/protocol/socket-events'
import { syncBadge, syncTexts } from '../../texts.ts'

/** 'In sync · 4 ms', or the cause alone where there is no figure or it says nothing. */
export function describeSync(cause: SyncCause, errorMs: number | null): string {
  const hasFigure = errorMs !== null && (cause === 'in_sync' || cause === 'correcting')
  return hasFigure ? syncBadge.withError(syncTexts[cause], Math.round(Math.abs(errorMs))) : syncTexts[cause]
}

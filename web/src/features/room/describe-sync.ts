import type { SyncCause } from '@earshot/core/protocol/socket-events'
import { syncBadge, syncTexts } from '../../texts.ts'

/** Describes a sync state as 'In sync · 4 ms', or by its cause alone where the error means nothing. */
export function describeSync(cause: SyncCause, errorMs: number | null): string {
  const hasFigure = errorMs !== null && (cause === 'in_sync' || cause === 'correcting')
  return hasFigure ? syncBadge.withError(syncTexts[cause], Math.round(Math.abs(errorMs))) : syncTexts[cause]
}

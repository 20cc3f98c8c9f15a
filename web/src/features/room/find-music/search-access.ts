import type { SourceStatus } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { SpotifyConnection } from '@earshot/core/protocol/providers'

/** Whether a source can be searched now, or why not. `untilMs`: null if unknown. */
export type SearchAccess = { kind: 'open' } | SearchObstacle

export type SearchObstacle =
  | { kind: 'links_only' | 'account_required' | 'not_connected' | 'must_reconnect' }
  | { kind: 'paused'; untilMs: number | null }

/** Decides before a search. A status or connection that is not known yet does not prevent one. */
export function searchAccess(
  status: SourceStatus | undefined,
  spotify: Pick<SpotifyConnection, 'isConnected' | 'mustReconnect'> | undefined,
  nowMs: number,
): SearchAccess {
  if (status?.searchNeedsAccount) return { kind: 'account_required' }
  if (status?.source === 'spotify' && spotify) {
    if (spotify.mustReconnect) return { kind: 'must_reconnect' }
    if (!spotify.isConnected) return { kind: 'not_connected' }
  }
  if (status?.canSearch === false) return { kind: 'links_only' }
  const untilMs = status?.searchPausedUntil ?? 0
  return untilMs > nowMs ? { kind: 'paused', untilMs } : { kind: 'open' }
}

/** Reads the reason from a refused search; null for a failure that a later try may not meet. */
export function accessAfterRefusal(error: Error | null, atMs: number): SearchObstacle | null {
  if (!(error instanceof AppError)) return null
  const { retryAfterMs } = error.details
  if (error.code === 'not_connected' || error.code === 'must_reconnect') return { kind: error.code }
  if (error.code !== 'provider_limit') return null
  return { kind: 'paused', untilMs: retryAfterMs === undefined ? null : atMs + retryAfterMs }
}

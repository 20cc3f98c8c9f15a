import type { ConnectionState } from '@earshot/core/machines/connection-state'

/** How a connection is, in one word (2.37a). */
export type ConnectionHealth = 'connected' | 'high_latency' | 'disconnected'

export function judgeConnection({
  status,
  isPoor,
}: Pick<ConnectionState, 'status' | 'isPoor'>): ConnectionHealth {
  if (status !== 'connected') return 'disconnected'
  return isPoor ? 'high_latency' : 'connected'
}

/** The host of a server's address: what tells servers apart. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

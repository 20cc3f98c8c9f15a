import type { ConnectionState, Transport } from '@earshot/core/machines/connection'
import { useCallback, useSyncExternalStore } from 'react'
import type { ServerConnection } from '../../../engine/debug-access.ts'
import { parseUrl } from '../../../ui/page/parse-url.ts'

/** Subscribes to the state of a connection. */
export function useConnectionState(connection: ServerConnection): {
  state: ConnectionState
  transport: Transport | null
} {
  const watch = useCallback((onChange: () => void) => connection.watch(onChange), [connection])
  const state = useSyncExternalStore(watch, () => connection.state())
  // The upgrade from polling to WebSocket emits no event; the next probe shows it.
  const transport = useSyncExternalStore(watch, () => connection.transport())
  return { state, transport }
}

/** The state of a connection in one word (2.37a). */
type ConnectionHealth = 'connected' | 'high_latency' | 'disconnected'

/** Classifies a connection (2.37a). */
export function judgeConnection({
  status,
  isPoor,
}: Pick<ConnectionState, 'status' | 'isPoor'>): ConnectionHealth {
  if (status !== 'connected') return 'disconnected'
  return isPoor ? 'high_latency' : 'connected'
}

/** Returns the host of a server's address, or the address itself if it is no URL. */
export const hostOf = (url: string): string => parseUrl(url)?.host ?? url

import type { ConnectionState, Transport } from '@earshot/core/machines/connection-state'
import { useCallback, useSyncExternalStore } from 'react'
import type { ServerConnection } from '../../../engine/debug-access.ts'
import { useConnection } from '../../room/use-room.ts'

/** The room's connection and where it stands, followed as it changes. */
export function useConnectionState(): {
  connection: ServerConnection
  state: ConnectionState
  transport: Transport | null
} {
  const connection = useConnection()
  const watch = useCallback((onChange: () => void) => connection.watch(onChange), [connection])
  const state = useSyncExternalStore(watch, () => connection.state())
  // Polling gives way to WebSocket without a word; the next probe shows it.
  const transport = useSyncExternalStore(watch, () => connection.transport())
  return { connection, state, transport }
}

import {
  createConnection,
  type ConnectionState,
  type Transport,
} from '@earshot/core/machines/connection-state'
import { useCallback, useSyncExternalStore } from 'react'
import type { ServerConnection } from '../../../realtime/server-connection.ts'
import { useConnection } from '../../room/use-room.ts'

const noConnection = createConnection([])
const watchNothing = (): void => undefined

/** The room's connection and where it stands, followed as it changes. */
export function useConnectionState(): {
  connection: ServerConnection | null
  state: ConnectionState
  transport: Transport | null
} {
  const connection = useConnection()
  const watch = useCallback(
    (onChange: () => void) => connection?.watch(onChange) ?? watchNothing,
    [connection],
  )
  const state = useSyncExternalStore(watch, () => connection?.state() ?? noConnection)
  // Polling gives way to WebSocket without a word; the next probe shows it.
  const transport = useSyncExternalStore(watch, () => connection?.transport() ?? null)
  return { connection, state, transport }
}

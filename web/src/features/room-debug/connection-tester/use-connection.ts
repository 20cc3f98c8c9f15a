import {
  type ConnectionState,
  createConnection,
  type Transport,
} from '@earshot/core/machines/connection-state'
import { useCallback, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { RoomSession } from '../../../engine/room-session.ts'
import type { ServerCalls, ServerConnection } from '../../../realtime/server-connection.ts'
import { NoAnswerError } from '../../../realtime/server-socket.ts'

const noConnection = createConnection([])
const unwatchNothing = (): void => undefined

/** Subscribes to the room's connection and its state. */
export function useConnectionState(room: RoomSession): {
  connection: ServerConnection | null
  state: ConnectionState
  transport: Transport | null
} {
  const connection = useConnection(room)
  const watch = useCallback(
    (onChange: () => void) => connection?.watch(onChange) ?? unwatchNothing,
    [connection],
  )
  const state = useSyncExternalStore(watch, () => connection?.state() ?? noConnection)
  // The upgrade from polling to WebSocket emits no event; the next probe shows it.
  const transport = useSyncExternalStore(watch, () => connection?.transport() ?? null)
  return { connection, state, transport }
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
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

const noServer: ServerCalls = {
  isConnected: () => false,
  call: () => Promise.reject(new NoAnswerError('not_connected')),
}

/** Returns the calls to the room's server; without a connection each rejects with `not_connected`. */
export const useServerCalls = (room: RoomSession): ServerCalls => useConnection(room) ?? noServer

function useConnection(room: RoomSession): ServerConnection | null {
  // A new connection changes its status at once, which renders again.
  useStore(room.store, (state) => state.connection)
  return room.connection()
}

import type { ServerCalls } from '../../../realtime/server-connection.ts'
import { NoAnswerError } from '../../../realtime/server-socket.ts'
import { useConnection } from '../../room/use-room.ts'

const noServer: ServerCalls = {
  isConnected: () => false,
  call: () => Promise.reject(new NoAnswerError('not_connected')),
}

/** What can be asked of the room's server; without a connection everything fails as it does on a lost one. */
export const useServerCalls = (): ServerCalls => useConnection() ?? noServer

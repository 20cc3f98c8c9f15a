import type { IncomingMessage } from 'node:http'
import type { RoomServer, RoomSocket } from './room-sockets.ts'

/** What is read of the request that opened a connection once it is open. */
type ReadOfRequest = Pick<IncomingMessage, 'headers' | 'url' | 'socket'> & {
  /** `connection` and `_query` are for the handshake that socket.io makes of it. */
  connection: IncomingMessage['socket']
  _query: unknown
}

/**
 * Keeps only headers, address and query of the requests that opened connections: the libraries hold each request as long as
 * its connection, and the rest of one is 2 kB.
 */
export function keepSmallRequests(io: RoomServer): void {
  io.engine.on('connection', (connection: RoomSocket['conn']) => {
    const { headers, url, socket } = connection.request
    const kept: ReadOfRequest = {
      headers,
      url,
      socket,
      connection: socket,
      _query: Reflect.get(connection.request, '_query'),
    }
    Object.assign(connection, { request: kept })
  })
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { RoomServer, RoomSocket } from '../room-sockets.ts'

/** The fields that are read of a connection's request after the handshake. */
type ReadOfRequest = Pick<IncomingMessage, 'headers' | 'url' | 'socket'> & {
  /** `connection` and `_query` are for the handshake that socket.io makes of it. */
  connection: IncomingMessage['socket']
  _query: unknown
}

/**
 * Keeps only some headers, address and query of the requests that opened connections: the libraries hold each request
 * as long as its connection, and the rest of one is 2 kB, with a browser's headers 3.
 */
export function keepSmallRequests(io: RoomServer): void {
  io.engine.on('connection', (connection: RoomSocket['conn']) => {
    const { headers, url, socket } = connection.request
    const kept: ReadOfRequest = {
      headers: pickHeaders(headers),
      url,
      socket,
      connection: socket,
      _query: Reflect.get(connection.request, '_query'),
    }
    Object.assign(connection, { request: kept })
  })
}

/** Keeps the headers that state the client's session, page and address. */
function pickHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { host, origin, cookie } = headers
  return { host, origin, cookie, 'x-forwarded-for': headers['x-forwarded-for'] }
}

import type { IncomingMessage } from 'node:http'
import { createTally } from '../limits/tally.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'

type Connection = RoomSocket['conn']

/** The listeners of a venue, or behind a proxy that is not trusted, share an address, and connect at once after a restart. */
const unsignedPerAddress = 1_000

export interface UnsignedOptions {
  /** Under which a request counts; null: it does not. */
  keyOf: (request: IncomingMessage) => string | null
  /** Time for a connection to sign in, ms. */
  handshakeMs: number
  perAddress: number | undefined
}

/** The connections that have not signed in: anybody can open them. */
export interface UnsignedConnections {
  /** Whether the address of a request may open another one. */
  mayOpen(request: IncomingMessage): boolean
}

/** Bounds how many connections of an address wait to be signed in, and how long: also those that have left their session. */
export function limitUnsigned(io: RoomServer, options: UnsignedOptions): UnsignedConnections {
  const { keyOf, handshakeMs, perAddress = unsignedPerAddress } = options
  const waiting = new Map<Connection, { key: string | null; timer: NodeJS.Timeout }>()
  const perKey = createTally()

  const wait = (connection: Connection): void => {
    const key = keyOf(connection.request)
    perKey.add(key)
    waiting.set(connection, { key, timer: setTimeout(end, handshakeMs, connection).unref() })
  }
  const stopWaiting = (connection: Connection): void => {
    const entry = waiting.get(connection)
    if (!entry) return
    clearTimeout(entry.timer)
    waiting.delete(connection)
    perKey.remove(entry.key)
  }
  // Shared by all connections: a closure of each would hold memory as long as it is open.
  function onClose(this: Connection): void {
    stopWaiting(this)
  }
  function onDisconnect(this: RoomSocket): void {
    if (this.conn.readyState === 'open') wait(this.conn)
  }
  io.engine.on('connection', (connection: Connection) => {
    wait(connection)
    connection.once('close', onClose)
  })
  io.on('connection', (socket) => {
    stopWaiting(socket.conn)
    socket.on('disconnect', onDisconnect)
  })
  return { mayOpen: (request) => perKey.count(keyOf(request)) < perAddress }
}

/** Ends a connection whatever its client does: one that ignores the close frame would hold it for another 30 s. */
export function end(connection: Connection): void {
  const { transport } = connection
  const socket: unknown = 'socket' in transport ? transport.socket : null
  if (typeof socket === 'object' && socket !== null && 'terminate' in socket) {
    if (typeof socket.terminate === 'function') socket.terminate()
  }
  connection.close(true)
}

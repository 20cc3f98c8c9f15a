import type { IncomingMessage } from 'node:http'
import type { Rate } from '../limits/rate-limits.ts'
import { createTally } from '../limits/tally.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'
import { webSocketOf } from './wire/web-socket.ts'

type Connection = RoomSocket['conn']

/**
 * The listeners of a venue, or behind a proxy that is not trusted, share an address, and connect at once after a
 * restart.
 */
const unsignedPerAddress = 1_000

interface UnsignedOptions {
  /** Under which a request counts; null: it does not. */
  keyOf: (request: IncomingMessage) => string | null
  /** Time for a connection to sign in, ms. */
  handshakeMs: number
  perAddress: number | undefined
  now?: () => number
}

/** The connections that have not signed in: anybody can open them. */
interface UnsignedConnections {
  /** Whether the address of a request may open another one. */
  mayOpen(request: IncomingMessage): boolean
  /** Counts a packet of a connection that waits. Returns whether it is one too many, of the connection or of its address. */
  isTooMuch(connection: Connection): boolean
}

/**
 * Bounds how many connections of an address wait to be signed in, how long, and what they send: also those that have
 * left their session.
 */
export function limitUnsigned(io: RoomServer, options: UnsignedOptions): UnsignedConnections {
  const { keyOf, handshakeMs, perAddress = unsignedPerAddress, now } = options
  const waiting = new Map<Connection, { key: string | null; timer: NodeJS.Timeout; packets: number }>()
  const perKey = createTally()
  const takePacket = countInWindows(otherRates.unsignedPackets, now)

  const wait = (connection: Connection): void => {
    const key = keyOf(connection.request)
    perKey.add(key)
    const timer = setTimeout(terminate, handshakeMs, connection).unref()
    waiting.set(connection, { key, timer, packets: 0 })
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
  return {
    mayOpen: (request) => perKey.count(keyOf(request)) < perAddress,
    isTooMuch(connection) {
      const entry = waiting.get(connection)
      if (!entry) return false
      entry.packets += 1
      const isWithin = takePacket(entry.key)
      return !isWithin || entry.packets > serverLimits.unsignedPacketsMax
    },
  }
}

/** Returns a function that counts by key, in windows that are the same for all, and returns whether the rate is kept. */
function countInWindows(
  { points, perMs }: Rate,
  now: () => number = () => performance.now(),
): (key: string | null) => boolean {
  let tally = createTally()
  let windowEndMs = 0
  return (key) => {
    const nowMs = now()
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + perMs
      tally = createTally()
    }
    tally.add(key)
    return tally.count(key) <= points
  }
}

/** Ends a connection whatever its client does: one that ignores the close frame would hold it for another 30 s. */
export function terminate(connection: Connection): void {
  webSocketOf(connection.transport)?.terminate()
  connection.close(true)
}

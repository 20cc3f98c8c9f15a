import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { limits } from '@earshot/core/limits'

/** The connection below a socket, before and after its client has signed in. */
export interface PacketConnection extends Pick<EventEmitter, 'on'> {
  readonly request: IncomingMessage
  readonly transport: object
}

/**
 * Returns a function that cuts a connection off once it sends packets faster than any page does. One body of the polling
 * transport holds 80,000 small ones, which would occupy the server for two seconds; limits per user count only valid events.
 * Pings of the WebSocket protocol count too: each is answered.
 */
export function createPacketLimit<Connection extends PacketConnection>(
  onTooMany: (connection: Connection) => void,
  now: () => number = () => performance.now(),
): (connection: Connection) => void {
  const { points, perMs } = limits.rates.packets
  /** Of the connections that sent packets in this window: a quiet one costs nothing. */
  const counts = new Map<Connection, number>()
  const connections = new WeakMap<object, Connection>()
  let windowEndMs = 0
  const count = (connection: Connection | undefined): void => {
    if (!connection) return
    const nowMs = now()
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + perMs
      counts.clear()
    }
    const sent = (counts.get(connection) ?? 0) + 1
    counts.set(connection, sent)
    if (sent === points + 1) onTooMany(connection)
  }
  const countPingsOf = (connection: Connection, transport: object): void => {
    const socket = webSocketOf(transport)
    if (!socket) return
    connections.set(socket, connection)
    socket.on('ping', countPing)
  }
  // One listener for all connections: a closure of each would hold memory as long as it is open.
  function countPacket(this: Connection): void {
    count(this)
  }
  function countPing(this: object): void {
    count(connections.get(this))
  }
  function watchTransport(this: Connection, transport: object): void {
    countPingsOf(this, transport)
  }
  return (connection) => {
    connection.on('packet', countPacket)
    connection.on('upgrading', watchTransport)
    countPingsOf(connection, connection.transport)
  }
}

/** Returns the WebSocket of a transport; null for polling. */
function webSocketOf(transport: object): Pick<EventEmitter, 'on'> | null {
  const socket: unknown = 'socket' in transport ? transport.socket : null
  const isEmitter = typeof socket === 'object' && socket !== null && 'on' in socket
  return isEmitter ? (socket as Pick<EventEmitter, 'on'>) : null
}

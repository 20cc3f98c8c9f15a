import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { limits } from '@earshot/core/limits'
import { countValues } from '@earshot/core/protocol/parse-input'

/** The connection below a socket, before and after its client has signed in. */
export interface PacketConnection extends Pick<EventEmitter, 'on'> {
  readonly request: IncomingMessage
  readonly transport: object
}

/** What a connection has sent in a window. */
interface Used {
  packets: number
  values: number
  isTooMuch: boolean
}

/**
 * Returns a function that cuts a connection off once it sends packets faster than any page does. One body of the polling
 * transport holds 80,000 small ones, which would occupy the server for two seconds; limits per user count only valid events.
 * Pings of the WebSocket protocol count too: each is answered. So do the values of JSON, before a packet is parsed.
 */
export function createPacketLimit<Connection extends PacketConnection>(
  onTooMany: (connection: Connection) => void,
  now: () => number = () => performance.now(),
): (connection: Connection) => void {
  const { packets, packetValues } = limits.rates
  /** Of the connections that sent packets in this window: a quiet one costs nothing. */
  const used = new Map<Connection, Used>()
  const connections = new WeakMap<object, Connection>()
  let windowEndMs = 0
  const count = (connection: Connection | undefined, data: unknown): void => {
    if (!connection) return
    const nowMs = now()
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + packets.perMs
      used.clear()
    }
    const values = typeof data === 'string' ? countValues(data) : 1
    const usage = used.get(connection) ?? { packets: 0, values: 0, isTooMuch: false }
    used.set(connection, usage)
    usage.packets += 1
    usage.values += values
    const isOver = usage.packets > packets.points || usage.values > packetValues.points
    if (usage.isTooMuch || !(isOver || values > limits.packetMaxValues)) return
    usage.isTooMuch = true
    onTooMany(connection)
  }
  const countPingsOf = (connection: Connection, transport: object): void => {
    const socket = webSocketOf(transport)
    if (!socket) return
    connections.set(socket, connection)
    socket.on('ping', countPing)
  }
  // One listener for all connections: a closure of each would hold memory as long as it is open.
  function countPacket(this: Connection, { data }: { data?: unknown }): void {
    count(this, data)
  }
  function countPing(this: object): void {
    count(connections.get(this), null)
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

import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { limits } from '@earshot/core/limits'
import { countValues } from '@earshot/core/protocol/parse-input'

/** The connection below a socket, before and after its client has signed in. */
export interface PacketConnection extends Pick<EventEmitter, 'on'> {
  readonly request: IncomingMessage
  readonly transport: object
}

/** A WebSocket whose pings are answered here: the library would also answer those behind the one that ended the connection. */
interface ControlledSocket extends Pick<EventEmitter, 'on'> {
  pong(data: Buffer): void
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
 * Pings and pongs of the WebSocket protocol count too. So do the values of JSON, before a packet is parsed.
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
  /** Returns whether the connection stays open. */
  const count = (connection: Connection, data: unknown): boolean => {
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
    const wasTooMuch = usage.isTooMuch
    usage.isTooMuch ||= isOver || values > limits.packetMaxValues
    if (usage.isTooMuch && !wasTooMuch) onTooMany(connection)
    return !usage.isTooMuch
  }
  const countPingsOf = (connection: Connection, transport: object): void => {
    const socket = webSocketOf(transport)
    if (!socket) return
    connections.set(socket, connection)
    socket.on('ping', answerPing)
    socket.on('pong', countPong)
  }
  // One listener for all connections: a closure of each would hold memory as long as it is open.
  function countPacket(this: Connection, { data }: { data?: unknown }): void {
    count(this, data)
  }
  function answerPing(this: ControlledSocket, data: Buffer): void {
    const connection = connections.get(this)
    if (connection && count(connection, null)) this.pong(data)
  }
  function countPong(this: object): void {
    const connection = connections.get(this)
    if (connection) count(connection, null)
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
function webSocketOf(transport: object): ControlledSocket | null {
  const socket: unknown = 'socket' in transport ? transport.socket : null
  const isEmitter = typeof socket === 'object' && socket !== null && 'on' in socket
  return isEmitter ? (socket as ControlledSocket) : null
}

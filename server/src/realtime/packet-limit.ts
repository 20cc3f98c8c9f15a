import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { countValues } from '@earshot/core/protocol/parse-input'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'
import { type TransportSocket, webSocketOf } from './wire/web-socket.ts'

/** The connection below a socket, before and after its client has signed in. */
interface PacketConnection extends Pick<EventEmitter, 'on'> {
  readonly request: IncomingMessage
  readonly transport: object
}

/** The traffic of a connection in a window. */
interface Used {
  packets: number
  values: number
  pings: number
  isTooMuch: boolean
}

/**
 * Returns a function that cuts a connection off once it sends packets faster than any page does. One body of the polling
 * transport holds 80,000 small ones, which would occupy the server for two seconds; limits per user count only valid events.
 * Pings and pongs of the WebSocket protocol count too. So do the values of JSON, before a packet is parsed.
 * Binary data ends a connection: no event has any, and the library keeps the parts of one until the last has come.
 *
 * `isUnsignedTooMuch` counts a packet of a connection that has not signed in.
 *
 * A ping is not answered while more than `serverLimits.pongBacklogMaxBytes` wait for its client to read.
 */
export function createPacketLimit<Connection extends PacketConnection>(
  onTooMuch: (connection: Connection) => void,
  isUnsignedTooMuch: (connection: Connection) => boolean = () => false,
  now: () => number = () => performance.now(),
): (connection: Connection) => void {
  const { packets, packetValues, pings } = otherRates
  /** Of the connections that sent packets in this window: a quiet one costs nothing. */
  const used = new Map<Connection, Used>()
  const connections = new WeakMap<object, Connection>()
  let windowEndMs = 0
  /** Returns whether the connection stays open. */
  const count = (connection: Connection, data: unknown, isPing = false): boolean => {
    const nowMs = now()
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + packets.perMs
      used.clear()
    }
    const values = typeof data === 'string' ? countValues(data) : 1
    const usage = used.get(connection) ?? { packets: 0, values: 0, pings: 0, isTooMuch: false }
    used.set(connection, usage)
    usage.packets += 1
    usage.values += values
    if (isPing) usage.pings += 1
    const isFast = usage.packets > packets.points || usage.pings > pings.points
    const isLarge = usage.values > packetValues.points || values > serverLimits.packetMaxValues
    const wasTooMuch = usage.isTooMuch
    usage.isTooMuch ||= isFast || isLarge || isUnsignedTooMuch(connection)
    if (usage.isTooMuch && !wasTooMuch) onTooMuch(connection)
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
  function countPacket(this: Connection, packet: Packet): void {
    if (isBinary(packet)) onTooMuch(this)
    else count(this, packet.data)
  }
  // Pings are answered here: the library would also answer those behind the one that ended the connection.
  function answerPing(this: TransportSocket, data: Buffer): void {
    const connection = connections.get(this)
    if (!connection || !count(connection, null, true)) return
    // The pong of a later ping answers all before it (RFC 6455, 5.5.3).
    if (this.bufferedAmount <= serverLimits.pongBacklogMaxBytes) this.pong(data)
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

interface Packet {
  type: string
  data?: unknown
}

/** Whether a packet is binary data, or announces some: types 5 and 6 of Socket.IO. */
function isBinary({ type, data }: Packet): boolean {
  if (typeof data !== 'string') return data !== undefined
  return type === 'message' && (data.startsWith('5') || data.startsWith('6'))
}

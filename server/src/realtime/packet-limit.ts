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
  return (connection) => {
    let windowEndMs = 0
    let count = 0
    const add = (): void => {
      const nowMs = now()
      if (nowMs >= windowEndMs) {
        windowEndMs = nowMs + perMs
        count = 0
      }
      count += 1
      if (count === points + 1) onTooMany(connection)
    }
    connection.on('packet', add)
    webSocketOf(connection.transport)?.on('ping', add)
    connection.on('upgrading', (transport: object) => webSocketOf(transport)?.on('ping', add))
  }
}

/** Returns the WebSocket of a transport; null for polling. */
function webSocketOf(transport: object): Pick<EventEmitter, 'on'> | null {
  const socket: unknown = 'socket' in transport ? transport.socket : null
  const isEmitter = typeof socket === 'object' && socket !== null && 'on' in socket
  return isEmitter ? (socket as Pick<EventEmitter, 'on'>) : null
}

import type { IncomingMessage } from 'node:http'
import { limits } from '@earshot/core/limits'

/** The connection below a socket, of a user or of nobody yet. */
export interface PacketConnection {
  readonly request: IncomingMessage
  on(event: 'packet', listener: () => void): unknown
}

/**
 * Returns a function that cuts a connection off once it sends packets faster than any page does. One body of the polling
 * transport holds 80,000 small ones, which would occupy the server for two seconds; limits per user count only valid events.
 */
export function createPacketLimit<Connection extends PacketConnection>(
  onTooMany: (connection: Connection) => void,
  now: () => number = () => performance.now(),
): (connection: Connection) => void {
  const { points, perMs } = limits.rates.packets
  return (connection) => {
    let windowEndMs = 0
    let count = 0
    connection.on('packet', () => {
      const nowMs = now()
      if (nowMs >= windowEndMs) {
        windowEndMs = nowMs + perMs
        count = 0
      }
      count += 1
      if (count === points + 1) onTooMany(connection)
    })
  }
}

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
  /** Of the connections that sent packets in this window: a quiet one costs nothing. */
  const counts = new Map<Connection, number>()
  let windowEndMs = 0
  // One listener for all connections: a closure of each would hold memory as long as it is open.
  function countPacket(this: Connection): void {
    const nowMs = now()
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + perMs
      counts.clear()
    }
    const count = (counts.get(this) ?? 0) + 1
    counts.set(this, count)
    if (count === points + 1) onTooMany(this)
  }
  return (connection) => void connection.on('packet', countPacket)
}

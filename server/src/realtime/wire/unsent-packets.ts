import type { RoomServer } from '../room-sockets.ts'
import { serverLimits } from '../../server-limits.ts'

/** A connection in which packets wait until its transport is writable: over polling, until its client asks for them. */
interface BufferedConnection {
  readonly writeBuffer: readonly unknown[]
}

interface Unsent {
  bytes: number
  sinceMs: number
}

/** Bounds the packets that the library keeps for a connection. */
interface UnsentPackets {
  /** Counts a packet if it still waits. Returns whether too much waits. */
  add(connection: BufferedConnection, packet: unknown): boolean
}

/**
 * Counts the packets that wait in connections: those of a quick client never do. A client that answers pings which it has
 * not fetched would keep its connection, and what waits in it, for ever; so `onStale` gets a connection that answers one
 * though something has waited for longer than a ping and its answer may take.
 */
export function countUnsent<Connection extends BufferedConnection>(
  io: RoomServer,
  onStale: (connection: Connection) => void,
  now: () => number = () => performance.now(),
): UnsentPackets {
  const { pingInterval, pingTimeout } = io.engine.opts as { pingInterval: number; pingTimeout: number }
  const unsent = new WeakMap<BufferedConnection, Unsent>()

  // One listener for all connections: a closure of each would hold memory as long as it is open.
  function onHeartbeat(this: Connection): void {
    const entry = unsent.get(this)
    if (entry && now() - entry.sinceMs > pingInterval + pingTimeout) onStale(this)
  }
  io.engine.on('flush', (connection: Connection) => unsent.delete(connection))
  io.engine.on('connection', (connection: Connection & NodeJS.EventEmitter) => {
    connection.on('heartbeat', onHeartbeat)
  })
  return {
    add(connection, packet) {
      if (connection.writeBuffer.length === 0) return false
      const entry = unsent.get(connection) ?? { bytes: 0, sinceMs: now() }
      unsent.set(connection, entry)
      entry.bytes += packetOverheadBytes + sizeOf(packet)
      return entry.bytes > serverLimits.socketBacklogMaxBytes
    },
  }
}

/** Memory that the library holds with each packet, roughly. */
const packetOverheadBytes = 200

function sizeOf(packet: unknown): number {
  return typeof packet === 'string' || packet instanceof Uint8Array ? packet.length : 0
}

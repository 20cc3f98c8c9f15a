import { Socket as TcpSocket } from 'node:net'
import { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import type { RoomServer } from './room-sockets.ts'

/**
 * The connection of a socket as far as it is used here. `conn.write` is public; the frame that socket.io's adapter encodes
 * once per broadcast, and the TCP socket below, are not typed.
 */
interface Connection {
  readyState: string
  upgrading: boolean
  writeBuffer: readonly unknown[]
  transport: { name: string; socket?: { _socket?: unknown } }
  write(data: unknown, options?: FrameOptions, sent?: () => void): unknown
  close(discard: boolean): void
}

interface FrameOptions {
  /** The WebSocket frame in parts. */
  wsPreEncodedFrame?: Buffer[]
  /** The frame in one part, made at its first connection. */
  frameBytes?: Buffer
}

/**
 * Writes the frames of broadcasts straight to the TCP sockets: each is encoded once, and all frames of a tick reach a
 * connection in one system call. Without the transport's bookkeeping per frame and connection the server delivers more than
 * twice as many. Whatever does not fit (polling, an upgrade under way, a waiting packet, other versions of the libraries)
 * goes the usual way; both end in the same TCP socket, so the order of events stays.
 *
 * A connection that reads so slowly that its backlog exceeds `limits.socketBacklogMaxBytes` is closed: the client connects
 * again and receives a snapshot.
 */
export function writeBroadcastsDirectly(io: RoomServer, logger: Logger): void {
  const corked = new Set<TcpSocket>()
  const flush = (): void => {
    for (const socket of corked) socket.uncork()
    corked.clear()
  }
  const write = (socket: TcpSocket, bytes: Buffer): void => {
    if (!corked.has(socket)) {
      if (corked.size === 0) process.nextTick(flush)
      corked.add(socket)
      socket.cork()
    }
    socket.write(bytes)
  }

  // One function for all connections: a closure of each would hold memory as long as it is open.
  function writeDirectly(
    this: Connection,
    data: unknown,
    options?: FrameOptions,
    sent?: () => void,
  ): unknown {
    const socket = findSocket(this)
    if (socket && socket.writableLength > limits.socketBacklogMaxBytes) {
      logger.info({ backlogBytes: socket.writableLength }, 'Client reads too slowly; connection closed')
      this.close(true)
      return this
    }
    const frame = options?.wsPreEncodedFrame
    if (!frame || sent || !socket || this.writeBuffer.length > 0) {
      return (Object.getPrototypeOf(this) as Connection).write.call(this, data, options, sent)
    }
    options.frameBytes ??= Buffer.concat(frame)
    write(socket, options.frameBytes)
    return this
  }

  io.engine.on('connection', (connection: Connection) => {
    connection.write = writeDirectly
  })
}

/** Returns the TCP socket of an open WebSocket; null for other connections. */
function findSocket({ readyState, upgrading, transport }: Connection): TcpSocket | null {
  const socket = transport.socket?._socket
  const isOpen = readyState === 'open' && !upgrading && transport.name === 'websocket'
  return isOpen && socket instanceof TcpSocket && socket.writable ? socket : null
}

import { Socket as TcpSocket } from 'node:net'
import type { Logger } from 'pino'
import type { RoomServer } from '../room-sockets.ts'
import { SharedAnswer } from './shared-payloads.ts'
import { countUnsent } from './unsent-packets.ts'
import { serverLimits } from '../../server-limits.ts'

/**
 * The connection of a socket as far as it is used here. `conn.write` and `conn.close` are public; the frame that
 * socket.io's adapter encodes once per broadcast, and the TCP socket below, are not typed.
 */
interface Connection {
  readyState: string
  upgrading: boolean
  writeBuffer: readonly unknown[]
  transport: { name: string; socket?: { _socket?: unknown } }
  write(data: unknown, options?: FrameOptions, sent?: () => void): unknown
  close(discard?: boolean): unknown
}

interface FrameOptions {
  /** The WebSocket frame of a broadcast, in parts. */
  wsPreEncodedFrame?: Buffer[]
  /** The frame in one part, made at its first connection. */
  frameBytes?: Buffer
}

/** The engine.io packet type of a message. */
const messageType = '4'

/**
 * Writes messages straight to the TCP sockets. Broadcasts are encoded once and wait for the end of the tick, when all
 * frames of it reach a connection in one system call; an event to one connection, or an answer, is written at once, with
 * the broadcasts that wait. Without the transport's bookkeeping per frame and connection the server delivers more than
 * twice as many. Whatever does not fit (polling, an upgrade under way, a waiting packet, binary data, other versions of the
 * libraries) goes the usual way; both end in the same TCP socket, so the order of events stays.
 *
 * A connection that reads so slowly that its backlog exceeds `serverLimits.socketBacklogMaxBytes` is closed, in the TCP socket or
 * in the library: the client connects again and receives a snapshot.
 */
export function writeDirectly(io: RoomServer, logger: Logger, now?: () => number): void {
  const held = createHeldFrames()
  const closeSlow = (connection: Connection): void => {
    logger.info({ transport: connection.transport.name }, 'Client reads too slowly; connection closed')
    connection.close(true)
  }
  const unsent = countUnsent(io, closeSlow, now)

  // One function for all connections: a closure of each would hold memory as long as it is open.
  function write(this: Connection, data: unknown, options?: FrameOptions, sent?: () => void): unknown {
    const socket = tcpOf(this)
    if (socket && socket.writableLength > serverLimits.socketBacklogMaxBytes) {
      closeSlow(this)
      return this
    }
    const frame = options?.wsPreEncodedFrame
    const isUsual = !socket?.writable || !isReady(this) || sent !== undefined
    const isShared = data instanceof SharedAnswer
    if (isUsual || !(frame || isShared || typeof data === 'string')) {
      if (socket) held.send(socket)
      const packet = isShared ? String(data) : data
      ;(Object.getPrototypeOf(this) as Connection).write.call(this, packet, options, sent)
      if (unsent.add(this, packet)) closeSlow(this)
      return this
    }
    if (frame) held.add(socket, (options.frameBytes ??= Buffer.concat(frame)))
    else if (isShared) held.send(socket, createFrame(data.toBytes(messageType)))
    else held.send(socket, [createTextFrame(messageType + String(data))])
    return this
  }

  function close(this: Connection, discard?: boolean): unknown {
    const socket = tcpOf(this)
    if (socket) held.send(socket)
    return (Object.getPrototypeOf(this) as Connection).close.call(this, discard)
  }

  io.engine.on('connection', (connection: Connection) => {
    connection.write = write
    connection.close = close
  })
}

/** Frames that wait for the end of the tick. */
interface HeldFrames {
  add(socket: TcpSocket, frame: Buffer): void
  /** Writes what waits for this socket now, followed by `last`, in one system call. */
  send(socket: TcpSocket, last?: Buffer[]): void
}

/** Frames in order, shared by all sockets that get the same ones. */
interface FrameChain {
  frames: readonly Buffer[]
  /** By the frame that follows. */
  longer: Map<Buffer, FrameChain>
  /** All frames in one part, made for the first socket. */
  bytes: Buffer | null
}

const createChain = (frames: readonly Buffer[]): FrameChain => ({ frames, longer: new Map(), bytes: null })

function createHeldFrames(): HeldFrames {
  const held = new Map<TcpSocket, FrameChain>()
  let empty = createChain([])

  const sendAll = (): void => {
    for (const [socket, chain] of held) writeTo(socket, [bytesOf(chain)])
    held.clear()
    empty = createChain([])
  }
  return {
    add(socket, frame) {
      if (held.size === 0) process.nextTick(sendAll)
      const chain = held.get(socket) ?? empty
      const longer = chain.longer.get(frame) ?? createChain([...chain.frames, frame])
      chain.longer.set(frame, longer)
      held.set(socket, longer)
    },
    send(socket, last = []) {
      const chain = held.get(socket)
      if (chain) held.delete(socket)
      writeTo(socket, chain ? [bytesOf(chain), ...last] : last)
    },
  }
}

function bytesOf(chain: FrameChain): Buffer {
  const [first] = chain.frames
  return (chain.bytes ??= first && chain.frames.length === 1 ? first : Buffer.concat(chain.frames))
}

function writeTo(socket: TcpSocket, parts: readonly Buffer[]): void {
  if (!socket.writable) return
  if (parts.length > 1) socket.cork()
  for (const part of parts) socket.write(part)
  if (parts.length > 1) socket.uncork()
}

/** Returns the TCP socket of a WebSocket; null for other connections. */
function tcpOf({ transport }: Connection): TcpSocket | null {
  const socket = transport.socket?._socket
  return transport.name === 'websocket' && socket instanceof TcpSocket ? socket : null
}

/** Whether a connection is open, and no packet waits in it. */
function isReady({ readyState, upgrading, writeBuffer }: Connection): boolean {
  return readyState === 'open' && !upgrading && writeBuffer.length === 0
}

/** Above this a length takes two bytes of its own, and above the next one eight (RFC 6455, 5.2). */
const shortLengthMax = 125
const mediumLengthMax = 65_535

const finalText = 0x81
const mediumLength = 126
const longLength = 127

/** Creates the WebSocket frame of a whole text, as a server sends it: final and without a mask. */
function createTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = headerLength(length)
  const frame = Buffer.allocUnsafe(start + length)
  writeHeader(frame, length)
  frame.write(text, start)
  return frame
}

/** Creates the same of a text in parts, which are not copied. */
function createFrame(parts: Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const header = Buffer.allocUnsafe(headerLength(length))
  writeHeader(header, length)
  return [header, ...parts]
}

const headerLength = (length: number): number =>
  length <= shortLengthMax ? 2 : length <= mediumLengthMax ? 4 : 10

function writeHeader(frame: Buffer, length: number): void {
  frame[0] = finalText
  if (length <= shortLengthMax) frame[1] = length
  else if (length <= mediumLengthMax) {
    frame[1] = mediumLength
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = longLength
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
}

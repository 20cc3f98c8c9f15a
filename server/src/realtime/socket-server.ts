import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { limits } from '@earshot/core/limits'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import type { ResolveSession } from '../auth/session.ts'
import { toHeaders } from '../http/request-headers.ts'
import type { RedisLink } from './redis-link.ts'
import type { RoomServer, RoomSocket } from './socket-types.ts'

export interface SocketServerOptions {
  httpServer: HttpServer
  logger: Logger
  resolveSession: ResolveSession
  isOriginAllowed: (origin: string | null, headers: Headers) => boolean
  redis: RedisLink | null
}

/** socket.io as this product runs it: pages of allowed origins with a session, and nobody else, get in. */
export function createSocketServer(options: SocketServerOptions): RoomServer {
  const { redis } = options
  const isAllowed = (request: IncomingMessage): boolean =>
    options.isOriginAllowed(request.headers.origin ?? null, toHeaders(request.headers))
  const io: RoomServer = new Server(options.httpServer, {
    path: '/socket.io',
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: limits.socketTransportMaxBytes,
    perMessageDeflate: false,
    connectTimeout: limits.socketHandshakeMs,
    allowRequest: (request, decide) =>
      isAllowed(request) ? decide(null, true) : decide('origin_refused', false),
    // Foreign origins never get this far; the others may read the answers of the polling transport.
    cors: { origin: true, credentials: true },
    ...(redis ? { adapter: createShardedAdapter(redis.publisher, redis.subscriber) } : {}),
  })
  requireSession(io, options)
  return io
}

/** Identity is settled once, at the handshake. A connection without a session gets a connect_error with its code. */
function requireSession(io: RoomServer, { resolveSession, logger }: SocketServerOptions): void {
  const settleIdentity = async (socket: RoomSocket): Promise<Error | undefined> => {
    try {
      const session = await resolveSession(toHeaders(socket.request.headers))
      if (!session) throw new AppError('unauthenticated')
      socket.data.session = session
      return undefined
    } catch (error) {
      const wire = toWireError(error)
      if (wire.code === 'internal') logger.error({ err: error }, 'could not read the session of a socket')
      return Object.assign(new Error(wire.message), { data: wire })
    }
  }
  io.use(async (socket, next) => next(await settleIdentity(socket)))
}

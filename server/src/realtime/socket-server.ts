import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { limits } from '@earshot/core/limits'
import { AppError, type WireError, toWireError } from '@earshot/core/protocol/errors'
import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import type { ResolveSession } from '../auth/session.ts'
import type { OriginRule } from '../http/origin.ts'
import { toHeaders } from '../http/request.ts'
import type { RedisLink } from './redis-link.ts'
import { limitConnections } from '../limits/connection-limits.ts'
import type { RoomServer, RoomSocket } from './socket-types.ts'

export interface SocketServerOptions {
  httpServer: HttpServer
  logger: Logger
  resolveSession: ResolveSession
  originRule: OriginRule
  redis: RedisLink | null
}

/** socket.io as this product runs it: pages of allowed origins with a session, and nobody else, get in. */
export function createSocketServer(options: SocketServerOptions): RoomServer {
  const { redis, originRule } = options
  const mayAsk = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
    originRule.mayAsk(headers.origin ?? null, toHeaders(headers))
  const io: RoomServer = new Server(options.httpServer, {
    // Also without the slash at its end, as the polling probe asks for it (7.24).
    path: '/socket.io',
    addTrailingSlash: false,
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: limits.socketTransportMaxBytes,
    perMessageDeflate: false,
    connectTimeout: limits.socketHandshakeMs,
    allowRequest: (request, decide) =>
      mayAsk(request) ? decide(null, true) : decide('origin_refused', false),
    cors: (request, decide) => decide(null, { origin: mayAsk(request), credentials: true }),
    ...(redis ? { adapter: createShardedAdapter(redis.publisher, redis.subscriber) } : {}),
  })
  requireKey(io, originRule)
  requireSession(io, options)
  return io
}

/**
 * Pages of other origins show the operator's key in the payload of the handshake, `auth: { clientKey }`: a browser
 * sends no headers of theirs with a WebSocket.
 */
function requireKey(io: RoomServer, originRule: OriginRule): void {
  io.use((socket, next) => {
    const { headers } = socket.request
    const { clientKey } = socket.handshake.auth
    const key = typeof clientKey === 'string' ? clientKey : undefined
    const isAllowed = originRule.isAllowed(headers.origin ?? null, toHeaders(headers), key)
    next(isAllowed ? undefined : toConnectError(new AppError('client_key_required')))
  })
}

/** Identity is settled once, at the handshake. A connection without a session gets a connect_error with its code. */
function requireSession(io: RoomServer, { resolveSession, logger }: SocketServerOptions): void {
  const connections = limitConnections(io)
  const settleIdentity = async (socket: RoomSocket): Promise<Error | undefined> => {
    try {
      const session = await resolveSession(toHeaders(socket.request.headers))
      if (!session) throw new AppError('unauthenticated')
      await connections.admit(session.user.id)
      socket.data.session = session
      return undefined
    } catch (error) {
      const failure = toConnectError(error)
      const isOurs = failure.data.code === 'internal'
      if (isOurs) logger.error({ err: error }, 'could not read the session of a socket')
      return failure
    }
  }
  io.use(async (socket, next) => next(await settleIdentity(socket)))
}

/** What the client hears as connect_error. */
function toConnectError(error: unknown): Error & { data: WireError } {
  const wire = toWireError(error)
  return Object.assign(new Error(wire.message), { data: wire })
}

import type { IncomingMessage, Server as HttpServer, IncomingHttpHeaders } from 'node:http'
import { limits } from '@earshot/core/limits'
import { AppError, type WireError, toWireError } from '@earshot/core/protocol/errors'
import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import type { ResolveSession } from '../auth/session.ts'
import type { AddressOf } from '../http/client-address.ts'
import type { OriginRule } from '../http/origin.ts'
import { headersOf } from '../http/request.ts'
import { createRateLimiter, takePoint } from '../limits/rate-limits.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { toUnavailable } from '../unavailable.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { writeDirectly } from './direct-writes.ts'
import { createPacketLimit } from './packet-limit.ts'
import type { RedisLink } from './redis-link.ts'

export interface SocketServerOptions {
  httpServer: HttpServer
  logger: Logger
  resolveSession: ResolveSession
  originRule: OriginRule
  redis: RedisLink | null
  addressOf: AddressOf
  securityLog: SecurityLog
  /** Time for a connection to sign in, ms. */
  handshakeMs?: number
}

/** Creates the socket.io server. Admits only pages of allowed origins with a session. */
export function createSocketServer(options: SocketServerOptions): RoomServer {
  const { redis, originRule, addressOf, securityLog, handshakeMs = limits.socketHandshakeMs } = options
  const mayAsk = (request: Pick<IncomingMessage, 'headers'>): boolean =>
    originRule.mayAsk(request.headers.origin ?? null, headersOf(request))
  const io: RoomServer = new Server(options.httpServer, {
    // Also without a trailing slash, as the polling probe requests it (7.24).
    path: '/socket.io',
    addTrailingSlash: false,
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: limits.socketTransportMaxBytes,
    perMessageDeflate: false,
    connectTimeout: handshakeMs,
    allowRequest: (request, decide) => {
      if (mayAsk(request)) return decide(null, true)
      securityLog.record('origin_refused', { address: addressOf(request), at: 'socket' })
      decide('origin_refused', false)
    },
    cors: (request, decide) => decide(null, { origin: mayAsk(request), credentials: true }),
    ...(redis ? { adapter: createShardedAdapter(redis.publisher, redis.subscriber) } : {}),
  })
  writeDirectly(io, options.logger)
  requireKey(io, originRule)
  requireSession(io, options)
  destroyUnauthenticated(io, handshakeMs)
  const limitPackets = createPacketLimit((connection: RoomSocket['conn']) => {
    securityLog.record('cut_off', { address: addressOf(connection.request) })
    terminate(connection.transport)
    connection.close(true)
  })
  io.engine.on('connection', limitPackets)
  keepSmallRequests(io)
  return io
}

/** A client that ignores the end of its connection would hold it for another 30 s. */
function destroyUnauthenticated(io: RoomServer, handshakeMs: number): void {
  const timers = new Map<object, NodeJS.Timeout>()
  io.engine.on('connection', (connection: RoomSocket['conn']) => {
    const destroy = (): void => {
      timers.delete(connection)
      terminate(connection.transport)
    }
    timers.set(connection, setTimeout(destroy, handshakeMs).unref())
  })
  io.on('connection', ({ conn }) => {
    clearTimeout(timers.get(conn))
    timers.delete(conn)
  })
}

/** Ends the TCP connection of a WebSocket, which engine.io would only close politely. */
function terminate(transport: object): void {
  const socket: unknown = 'socket' in transport ? transport.socket : null
  if (typeof socket !== 'object' || socket === null) return
  if ('terminate' in socket && typeof socket.terminate === 'function') socket.terminate()
}

/**
 * Requires the operator's key of pages from other origins. It comes in the handshake, `auth: { clientKey }`: browsers
 * send no custom headers with a WebSocket.
 */
function requireKey(io: RoomServer, originRule: OriginRule): void {
  io.use((socket, next) => {
    const { request } = socket
    const { clientKey } = socket.handshake.auth
    const key = typeof clientKey === 'string' ? clientKey : undefined
    const isAllowed = originRule.isAllowed(request.headers.origin ?? null, headersOf(request), key)
    next(isAllowed ? undefined : toConnectError(new AppError('client_key_required')))
  })
}

/** Resolves the session once, at the handshake. A connection without one gets a connect_error with its code. */
function requireSession(io: RoomServer, { resolveSession, logger }: SocketServerOptions): void {
  const connections = limitConnections(io)
  const authenticate = async (socket: RoomSocket): Promise<Error | undefined> => {
    try {
      const session = await resolveSession(socket.request.headers.cookie)
      if (!session) throw new AppError('unauthenticated')
      await connections.admit(session.user.id)
      socket.data.session = session
      return undefined
    } catch (error) {
      const failure = toConnectError(error)
      if (failure.data.code === 'internal') {
        logger.error({ err: error }, 'Could not read the session of a socket; connection refused')
      }
      return failure
    }
  }
  io.use(async (socket, next) => next(await authenticate(socket)))
}

/** Limits the connections of each user in this process: their rate, and their number at a time. */
export interface ConnectionLimits {
  /** @throws AppError rate_limited */
  admit(userId: string): Promise<void>
}

/** Counts connections from now on. Sockets must have their session when they connect. */
export function limitConnections(io: RoomServer): ConnectionLimits {
  const opening = createRateLimiter('connect', limits.rates.connect)
  const open = new Map<string, number>()
  function onDisconnect(this: RoomSocket): void {
    const userId = this.data.session.user.id
    const left = (open.get(userId) ?? 0) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }
  io.on('connection', (socket) => {
    const userId = socket.data.session.user.id
    open.set(userId, (open.get(userId) ?? 0) + 1)
    socket.on('disconnect', onDisconnect)
  })
  return {
    async admit(userId) {
      await takePoint(opening, userId)
      if ((open.get(userId) ?? 0) >= limits.socketsPerUser) throw new AppError('rate_limited')
    },
  }
}

/** Returns the error that the client receives as connect_error. */
export function toConnectError(error: unknown): Error & { data: WireError } {
  const wire = toWireError(toUnavailable(error))
  return Object.assign(new Error(wire.message), { data: wire })
}

/** What is read of the request that opened a connection once it is open. */
type ReadOfRequest = Pick<IncomingMessage, 'headers' | 'url' | 'socket'> & {
  /** `connection` and `_query` are for the handshake that socket.io makes of it. */
  connection: IncomingMessage['socket']
  _query: unknown
}

/**
 * Keeps only some headers, address and query of the requests that opened connections: the libraries hold each request as long as
 * its connection, and the rest of one is 2 kB, with a browser's headers 3.
 */
export function keepSmallRequests(io: RoomServer): void {
  io.engine.on('connection', (connection: RoomSocket['conn']) => {
    const { headers, url, socket } = connection.request
    const kept: ReadOfRequest = {
      headers: pickHeaders(headers),
      url,
      socket,
      connection: socket,
      _query: Reflect.get(connection.request, '_query'),
    }
    Object.assign(connection, { request: kept })
  })
}

/** What tells the client's session, page and address. */
function pickHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { host, origin, cookie } = headers
  return { host, origin, cookie, 'x-forwarded-for': headers['x-forwarded-for'] }
}

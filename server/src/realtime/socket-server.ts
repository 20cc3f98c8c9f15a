import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { AppError, type ErrorCode, type WireError, toWireError } from '@earshot/core/protocol/errors'
import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import { connectionKey } from '../address-key.ts'
import type { ResolveSession } from '../auth/session.ts'
import type { AddressOf } from '../http/client-address.ts'
import type { OriginRule } from '../http/origin.ts'
import { headersOf } from '../http/request.ts'
import type { SecurityEvent, SecurityLog } from '../ops/security-log.ts'
import { toUnavailable } from '../unavailable.ts'
import { limitConnections } from './connection-limits.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { writeDirectly } from './wire/direct-writes.ts'
import { createPacketLimit } from './packet-limit.ts'
import type { RedisLink } from './redis-link.ts'
import { refuseSniffing } from './wire/refuse-sniffing.ts'
import { encodeSharedOnce } from './wire/shared-payloads.ts'
import { keepSmallRequests } from './wire/small-requests.ts'
import { limitUnsigned, terminate } from './unsigned-connections.ts'
import { serverLimits } from '../server-limits.ts'

export interface SocketServerOptions {
  httpServer: HttpServer
  logger: Logger
  resolveSession: ResolveSession
  originRule: OriginRule
  redis: RedisLink | null
  addressOf: AddressOf
  securityLog: SecurityLog
  /** Open connections with a session. */
  socketsPerAddress?: number
  /** Connections that wait to be signed in. Set by tests only, as is `handshakeMs`. */
  unsignedPerAddress?: number
  /** Time for a connection to sign in, ms. */
  handshakeMs?: number
}

const path = '/socket.io'

/** Creates the socket.io server. Admits only pages of allowed origins with a session. */
export function createSocketServer(options: SocketServerOptions): RoomServer {
  const { redis, originRule, addressOf, securityLog, handshakeMs = serverLimits.socketHandshakeMs } = options
  const mayAsk = (request: Pick<IncomingMessage, 'headers'>): boolean =>
    originRule.mayAsk(request.headers.origin ?? null, headersOf(request))
  const io: RoomServer = new Server(options.httpServer, {
    // Also without a trailing slash, as the polling probe requests it (7.24).
    path,
    addTrailingSlash: false,
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: serverLimits.socketTransportMaxBytes,
    perMessageDeflate: false,
    // Later than ours: a connection that it closes politely can be ended no more.
    connectTimeout: handshakeMs * 2,
    allowRequest: (request, decide) => {
      const refuse = (code: ErrorCode, event: SecurityEvent): void => {
        securityLog.record(event, { address: addressOf(request), at: 'socket' })
        decide(code, false)
      }
      if (!mayAsk(request)) refuse('origin_refused', 'origin_refused')
      else if (!unsigned.mayOpen(request)) refuse('rate_limited', 'limit_reached')
      else if (asksForScript(request)) decide('invalid_input', false)
      else decide(null, true)
    },
    cors: (request, decide) => decide(null, { origin: mayAsk(request), credentials: true }),
    ...(redis ? { adapter: createShardedAdapter(redis.publisher, redis.subscriber) } : {}),
  })
  refuseSniffing(options.httpServer, path)
  encodeSharedOnce(io)
  writeDirectly(io, options.logger)
  requireKey(io, originRule)
  const keyOf = (request: IncomingMessage) => connectionKey(addressOf(request))
  const unsigned = limitUnsigned(io, { keyOf, handshakeMs, perAddress: options.unsignedPerAddress })
  requireSession(io, options, keyOf)
  const limitPackets = createPacketLimit(
    (connection: RoomSocket['conn']) => {
      securityLog.record('cut_off', { address: addressOf(connection.request) })
      terminate(connection)
    },
    (connection) => unsigned.isTooMuch(connection),
  )
  io.engine.on('connection', limitPackets)
  boundWebSockets(io, options.httpServer)
  keepSmallRequests(io)
  return io
}

/** Browsers send large messages in frames of some 64 kB, so this many hold more than a message may. */
const fragmentsMax = 32

/**
 * Options of the WebSocket server that the library does not pass on. It makes that server anew when the HTTP server
 * listens.
 */
function boundWebSockets(io: RoomServer, httpServer: HttpServer): void {
  const bound = (): void => {
    const { ws } = io.engine as unknown as { ws: { options: object } }
    Object.assign(ws.options, {
      // `createPacketLimit` answers pings.
      autoPong: false,
      maxFragments: fragmentsMax,
    })
  }
  bound()
  httpServer.on('listening', bound)
}

/** JSONP, which scripts of other pages of the same site could read; no browser that runs our page needs it. */
function asksForScript({ url }: Pick<IncomingMessage, 'url'>): boolean {
  return new URLSearchParams(url?.split('?')[1]).has('j')
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
function requireSession(
  io: RoomServer,
  { resolveSession, logger, socketsPerAddress }: SocketServerOptions,
  keyOf: (request: IncomingMessage) => string | null,
): void {
  const connections = limitConnections(io, socketsPerAddress)
  const signingIn = new WeakSet<RoomSocket['conn']>()
  const authenticate = async (socket: RoomSocket): Promise<Error | undefined> => {
    try {
      const session = await resolveSession(socket.request.headers.cookie, connections.mayRead)
      if (!session) throw new AppError('unauthenticated')
      const address = keyOf(socket.request)
      await connections.admit(session.user.id, address)
      socket.data = { session, address }
      return undefined
    } catch (error) {
      const failure = toConnectError(error)
      if (failure.data.code === 'internal') {
        logger.error({ err: error }, 'Could not read the session of a socket; connection refused')
      }
      return failure
    }
  }
  io.use(async (socket, next) => {
    const { conn } = socket
    // Each packet that asks to connect would read the session once more.
    if (signingIn.has(conn)) return next(toConnectError(new AppError('rate_limited')))
    signingIn.add(conn)
    const refusal = await authenticate(socket)
    signingIn.delete(conn)
    next(refusal)
  })
}

/** Returns the error that the client receives as connect_error. */
export function toConnectError(error: unknown): Error & { data: WireError } {
  const wire = toWireError(toUnavailable(error))
  return Object.assign(new Error(wire.message), { data: wire })
}

import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Rate } from '../limits/rate-limits.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { toConnectError } from './socket-server.ts'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'

/** Refusals that no page of ours causes in numbers. */
const countedRefusals = new Set<ErrorCode>([
  'rate_limited',
  'invalid_input',
  'unknown_event',
  'payload_too_large',
])

/** Smaller packets are not counted: the limits of their events bound them. */
const largePacketBytes = 4 * 1024

type OnCutOff = (socket: RoomSocket) => void

/**
 * Cuts off users whose events are refused too often, since refusing costs the server, too. Returns a function that
 * counts the refusal of an event.
 */
export function limitRefusals(
  io: RoomServer,
  onCutOff: OnCutOff,
): (socket: RoomSocket, code: ErrorCode) => void {
  const count = createCutOff(io, 'refusals', otherRates.refusals, onCutOff)
  return (socket, code) => {
    if (countedRefusals.has(code)) count(socket, 1)
  }
}

/** Cuts off users who send too many bytes in large packets, which are parsed before anything can refuse them. */
export function limitInbound(io: RoomServer, onCutOff: OnCutOff): void {
  const count = createCutOff(io, 'inbound', otherRates.inboundBytes, onCutOff)
  io.on('connection', (socket) => {
    const { conn } = socket
    const countLarge = ({ data }: { data?: string | Uint8Array }): void => {
      const { length } = data ?? ''
      if (length >= largePacketBytes) count(socket, length)
    }
    conn.on('packet', countLarge)
    // A client may leave and connect again on one connection.
    socket.once('disconnect', () => conn.off('packet', countLarge))
  })
}

/**
 * Returns a function that counts points of a socket's user. Beyond the rate the socket is closed, and new connections
 * are refused for `serverLimits.refusalBlockMs`.
 */
function createCutOff(
  io: RoomServer,
  keyPrefix: string,
  { points, perMs }: Rate,
  onCutOff: OnCutOff,
): (socket: RoomSocket, points: number) => void {
  const limiter = new RateLimiterMemory({
    keyPrefix,
    points,
    duration: perMs / 1_000,
    blockDuration: serverLimits.refusalBlockMs / 1_000,
  })
  const findBlock = async (userId: string): Promise<Error | undefined> => {
    const count = await limiter.get(userId)
    if (count === null || count.consumedPoints <= points) return undefined
    const retryAfterMs = Math.max(1, Math.ceil(count.msBeforeNext))
    return toConnectError(new AppError('rate_limited', undefined, { retryAfterMs }))
  }
  io.use(async (socket, next) => next(await findBlock(socket.data.session.user.id)))
  return (socket, used) => {
    limiter.consume(socket.data.session.user.id, used).catch(() => {
      if (socket.connected) onCutOff(socket)
      socket.disconnect(true)
    })
  }
}

import { limits } from '@earshot/core/limits'
import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RoomServer, RoomSocket } from './client-event.ts'
import { toConnectError } from './socket-server.ts'

/** Refusals that no page of ours causes in numbers. */
const rudeCodes = new Set<ErrorCode>(['rate_limited', 'invalid_input', 'unknown_event', 'payload_too_large'])

/**
 * Cuts off users whose events are refused too often, since refusing costs the server, too: the socket is closed, and
 * new connections are refused for `limits.refusalBlockMs`. Returns a function that counts the refusal of an event.
 */
export function limitRefusals(
  io: RoomServer,
  onCutOff: (socket: RoomSocket) => void,
): (socket: RoomSocket, code: ErrorCode) => void {
  const { points, perMs } = limits.rates.refusals
  const refusals = new RateLimiterMemory({
    keyPrefix: 'refusals',
    points,
    duration: perMs / 1_000,
    blockDuration: limits.refusalBlockMs / 1_000,
  })
  const findBlock = async (userId: string): Promise<Error | undefined> => {
    const count = await refusals.get(userId)
    if (count === null || count.consumedPoints <= points) return undefined
    const retryAfterMs = Math.max(1, Math.ceil(count.msBeforeNext))
    return toConnectError(new AppError('rate_limited', undefined, { retryAfterMs }))
  }
  io.use(async (socket, next) => next(await findBlock(socket.data.session.user.id)))
  return (socket, code) => {
    if (!rudeCodes.has(code)) return
    refusals.consume(socket.data.session.user.id).catch(() => {
      if (socket.connected) onCutOff(socket)
      socket.disconnect(true)
    })
  }
}

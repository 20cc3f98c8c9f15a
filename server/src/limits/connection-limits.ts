import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { createRateLimiter, takePoint } from './rate-limits.ts'
import type { RoomServer } from '../realtime/socket-types.ts'

/** What one user may open in this process: so many connections in a while, and so many at a time. */
export interface ConnectionLimits {
  /** @throws AppError rate_limited */
  admit(userId: string): Promise<void>
}

/** Counts from now on; the sockets must know their users when they are connected. */
export function limitConnections(io: RoomServer): ConnectionLimits {
  const opening = createRateLimiter('connect', limits.rates.connect)
  const open = new Map<string, number>()
  io.on('connection', (socket) => {
    const userId = socket.data.session.user.id
    open.set(userId, (open.get(userId) ?? 0) + 1)
    socket.on('disconnect', () => {
      const left = (open.get(userId) ?? 0) - 1
      if (left > 0) open.set(userId, left)
      else open.delete(userId)
    })
  })
  return {
    async admit(userId) {
      await takePoint(opening, userId)
      if ((open.get(userId) ?? 0) >= limits.socketsPerUser) throw new AppError('rate_limited')
    },
  }
}

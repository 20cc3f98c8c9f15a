import { AppError } from '@earshot/core/protocol/errors'
import { createRateLimiter, takePoint } from '../limits/rate-limits.ts'
import { otherRates } from '../limits/rates.ts'
import { createTally } from '../limits/tally.ts'
import { serverLimits } from '../server-limits.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'

/** Limits the connections of each user and each address in this process: their rate, and their number at a time. */
interface ConnectionLimits {
  /** Counts by the token of a session, before it is read. @throws AppError rate_limited */
  mayRead: (token: string) => Promise<void>
  /** @throws AppError rate_limited */
  admit(userId: string, address: string | null): Promise<void>
}

/** Counts connections from now on. Sockets must have their session and address when they connect. */
export function limitConnections(
  io: RoomServer,
  perAddress: number = serverLimits.socketsPerAddress,
): ConnectionLimits {
  const opening = createRateLimiter('connect', otherRates.connect)
  const reading = createRateLimiter('connect-session', otherRates.connect)
  const [ofUsers, ofAddresses] = [createTally(), createTally()]
  function onDisconnect(this: RoomSocket): void {
    ofUsers.remove(this.data.session.user.id)
    ofAddresses.remove(this.data.address)
  }
  io.on('connection', (socket) => {
    ofUsers.add(socket.data.session.user.id)
    ofAddresses.add(socket.data.address)
    socket.on('disconnect', onDisconnect)
  })
  return {
    mayRead: async (token) => takePoint(reading, token),
    async admit(userId, address) {
      await takePoint(opening, userId)
      if (ofUsers.count(userId) >= serverLimits.socketsPerUser) throw new AppError('rate_limited')
      if (ofAddresses.count(address) >= perAddress) throw new AppError('rate_limited')
    },
  }
}

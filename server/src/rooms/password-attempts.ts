import type { Redis } from 'ioredis'
import { createSharedRateLimiter, scaleRate, takePoint } from '../limits/rate-limits.ts'
import { otherRates } from '../limits/rates.ts'

/** Counts attempts at the passwords of rooms. */
export interface PasswordAttempts {
  /** @throws AppError rate_limited */
  take(attempt: PasswordAttempt): Promise<void>
  /** Takes back an attempt that was right, and those of the same user before it. */
  forgive(attempt: PasswordAttempt): Promise<void>
}

interface PasswordAttempt {
  roomId: string
  userId: string
  /** The key of an address (`connectionKey`); null where several may hide behind it. */
  address: string | null
}

/**
 * Limits attempts of a user, of all users at one address, who may be one guesser, and at one room, which a guesser with many
 * addresses would reach. A room has ten times as many as an address: otherwise one guesser would keep everybody out.
 */
export function createPasswordAttempts(redis: Redis | null, addressScale = 1): PasswordAttempts {
  const { roomPassword, roomPasswordPerRoom, roomPasswordAddress } = otherRates
  const perAddress = scaleRate(roomPasswordAddress, addressScale)
  const ofUser = createSharedRateLimiter('room-password', roomPassword, redis)
  const ofAddress = createSharedRateLimiter('room-password-address', perAddress, redis)
  const ofRoom = createSharedRateLimiter('room-password-room', roomPasswordPerRoom, redis)
  const userKey = ({ roomId, userId }: PasswordAttempt): string => `${roomId}:${userId}`
  const addressKey = ({ roomId, address }: PasswordAttempt): string => `${roomId} ${address ?? ''}`
  return {
    async take(attempt) {
      await takePoint(ofUser, userKey(attempt))
      await takePoint(ofAddress, addressKey(attempt))
      await takePoint(ofRoom, attempt.roomId)
    },
    async forgive(attempt) {
      await Promise.all([
        ofUser.delete(userKey(attempt)),
        ofAddress.reward(addressKey(attempt)),
        ofRoom.reward(attempt.roomId),
      ])
    },
  }
}

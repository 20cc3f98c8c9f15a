import { hourMs } from '@earshot/core/clock'
import type { Redis } from 'ioredis'
import { emailDigest } from './known-devices.ts'
import { createSharedRateLimiter, takePoint } from './rate-limits.ts'
import { serverLimits } from '../server-limits.ts'

/** Counts a mail of one kind, about an account, before it is sent. @throws AppError rate_limited */
export type TakeMailPoint = (kind: string, about: { userId: string; to: string }) => Promise<void>

/** Limits the mails of each kind, per account that causes them and per recipient: strangers can cause most of them. */
export function createMailRateLimit(redis: Redis | null): TakeMailPoint {
  const rate = { points: serverLimits.mailsPerHour, perMs: hourMs }
  const ofAccount = createSharedRateLimiter('mails-account', rate, redis)
  const ofRecipient = createSharedRateLimiter('mails-recipient', rate, redis)
  return async (kind, { userId, to }) => {
    await takePoint(ofAccount, `${kind} ${userId}`)
    await takePoint(ofRecipient, `${kind} ${emailDigest(to)}`)
  }
}

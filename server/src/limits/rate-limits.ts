import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

/** A number of points per window, counted by key. */
export interface Rate {
  points: number
  perMs: number
}

export type RateName = keyof typeof limits.rates

/** One limiter per rate, by user, in this process. */
export type Limiters = Readonly<Record<RateName, RateLimiterAbstract>>

export function createLimiters(): Limiters {
  const entries = Object.entries(limits.rates).map(([name, rate]) => [name, createRateLimiter(name, rate)])
  return Object.fromEntries(entries) as Limiters
}

/** Creates a limiter that counts in this process. */
export function createRateLimiter(name: string, rate: Rate): RateLimiterAbstract {
  return new RateLimiterMemory({ keyPrefix: name, points: rate.points, duration: rate.perMs / 1_000 })
}

/** Creates a limiter that counts in Redis for all processes; in this process while Redis is down. */
export function createSharedRateLimiter(name: string, rate: Rate, redis: Redis | null): RateLimiterAbstract {
  const insuranceLimiter = createRateLimiter(name, rate)
  if (!redis) return insuranceLimiter
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `earshot:rate:${name}`,
    points: rate.points,
    duration: rate.perMs / 1_000,
    insuranceLimiter,
    // Otherwise each call would wait for a Redis that is known to be down.
    rejectIfRedisNotReady: true,
  })
}

/** Consumes one point, or several. @throws AppError rate_limited, with the time to wait before a retry */
export async function takePoint(limiter: RateLimiterAbstract, key: string, points = 1): Promise<void> {
  try {
    await limiter.consume(key, points)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfterMs = Math.max(1, Math.ceil(refusal.msBeforeNext))
    throw new AppError('rate_limited', undefined, { retryAfterMs })
  }
}

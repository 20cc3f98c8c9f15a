import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

/** So many points in so many ms, counted by key. */
export interface Rate {
  points: number
  perMs: number
}

export type RateName = keyof typeof limits.rates

/** One limiter for each rate of the limits, by user, in this process. */
export type Limiters = Readonly<Record<RateName, RateLimiterAbstract>>

export function createLimiters(): Limiters {
  const entries = Object.entries(limits.rates).map(([name, rate]) => [name, createRateLimiter(name, rate)])
  return Object.fromEntries(entries) as Limiters
}

/** Counts in this process. */
export function createRateLimiter(name: string, rate: Rate): RateLimiterAbstract {
  return new RateLimiterMemory({ keyPrefix: name, points: rate.points, duration: rate.perMs / 1_000 })
}

/** Counts in Redis, for all processes together; while Redis is away, in this process. */
export function createSharedRateLimiter(name: string, rate: Rate, redis: Redis | null): RateLimiterAbstract {
  const insuranceLimiter = createRateLimiter(name, rate)
  if (!redis) return insuranceLimiter
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `earshot:rate:${name}`,
    points: rate.points,
    duration: rate.perMs / 1_000,
    insuranceLimiter,
    // Otherwise each call would wait for a Redis that is known to be away.
    rejectIfRedisNotReady: true,
  })
}

/** @throws AppError rate_limited, with the time after which it is worth trying again */
export async function takePoint(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfterMs = Math.max(1, Math.ceil(refusal.msBeforeNext))
    throw new AppError('rate_limited', undefined, { retryAfterMs })
  }
}

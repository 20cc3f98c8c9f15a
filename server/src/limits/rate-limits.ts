import { AppError } from '@earshot/core/protocol/errors'
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { callRates } from './rates.ts'

/** A number of points per window, counted by key. */
export interface Rate {
  points: number
  perMs: number
}

export type RateName = keyof typeof callRates

/**
 * One limiter per rate of calls, in this process. Keys are user ids, except for `door` (address), `probe` (socket),
 * `roomOrders` (room) and `positionReport` (room and user).
 */
export type Limiters = Readonly<Record<RateName, RateLimiterAbstract>>

/** `addressScale`: how many times more an address may have than by default. */
export function createLimiters(addressScale = 1): Limiters {
  const scaled = { ...callRates, door: scaleRate(callRates.door, addressScale) }
  const entries = Object.entries(scaled).map(([name, rate]) => [name, createRateLimiter(name, rate)])
  return Object.fromEntries(entries) as Limiters
}

/** Returns a rate with so many times more points, and at least one. */
export function scaleRate({ points, perMs }: Rate, factor: number): Rate {
  return { points: Math.ceil(points * factor), perMs }
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

/**
 * Returns a function that consumes one point of a key, as `takePoint`. Points are counted for all processes, but without
 * waiting for Redis, whose refusal holds from the next call on.
 */
export function createUnawaitedRateLimiter(
  name: string,
  rate: Rate,
  redis: Redis | null,
): (key: string) => Promise<void> {
  const here = createRateLimiter(name, rate)
  const everywhere = redis && createSharedRateLimiter(name, rate, redis)
  return async (key) => {
    await takePoint(here, key)
    everywhere?.consume(key).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) void here.block(key, refusal.msBeforeNext / 1_000)
    })
  }
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

/** Points of a key. */
export interface Points {
  limiter: RateLimiterAbstract
  key: string
  points: number
}

/** Runs a task for which points were taken, and gives them back unless it succeeds and its result counts. */
export async function spendPoints<Result>(
  taken: readonly Points[],
  task: () => Promise<Result>,
  counts: (result: Result) => boolean,
): Promise<Result> {
  let isSpent = false
  try {
    const result = await task()
    isSpent = counts(result)
    return result
  } finally {
    if (!isSpent) await Promise.all(taken.map(({ limiter, key, points }) => limiter.reward(key, points)))
  }
}

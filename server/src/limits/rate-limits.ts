import { isIPv4 } from 'node:net'
import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { Redis } from 'ioredis'
import ipaddr from 'ipaddr.js'
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

/** Returns the key under which an address is counted: of IPv6 its /64 network, which one subscriber holds. */
export function addressKey(address: string): string {
  // Nearly all are, and parsing takes much longer.
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, networkParts), 0, 0, 0, 0]).toString()}/64`
}

const networkParts = 4

/**
 * Returns the key under which the connections of an address are counted; null for those of this machine: a proxy here that
 * `TRUST_PROXY` does not name hides all listeners behind one address.
 */
export function connectionKey(address: string): string | null {
  const isOwn = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
  return isOwn ? null : addressKey(address)
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

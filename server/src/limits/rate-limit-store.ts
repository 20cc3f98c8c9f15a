import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Redis } from 'ioredis'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { type Rate, createSharedRateLimiter } from './rate-limits.ts'

type Store = InstanceType<FastifyRateLimitStoreCtor>

/** Where the framework counts the calls of one rate: for all processes together, and in this one while Redis is away. */
export function createSharedCounts(name: string, rate: Rate, redis: Redis | null): FastifyRateLimitStoreCtor {
  const limiter = createSharedRateLimiter(name, rate, redis)
  return class SharedCounts implements Store {
    async incr(key: string, callback: Parameters<Store['incr']>[1]): Promise<void> {
      // A call too many is a rejection, which carries the same count.
      const count: unknown = await limiter.consume(key).catch((refusal: unknown) => refusal)
      if (count instanceof RateLimiterRes) {
        callback(null, { current: count.consumedPoints, ttl: count.msBeforeNext })
      } else callback(count instanceof Error ? count : new Error('The call could not be counted'))
    }

    /** There is one rate for all routes. */
    child(): Store {
      return this
    }
  }
}

import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { isApiCall, isMediaCall, routeOf } from '../http/request.ts'
import {
  type Rate,
  addressKey,
  createRateLimiter,
  createSharedRateLimiter,
  takePoint,
} from './rate-limits.ts'

/** Rates that a test may set. */
export type RequestRates = Partial<Record<'pages' | 'media', Rate>>

/**
 * Limits the API calls of each address, its requests of pages and their files, and those of audio and covers; those beyond the
 * rate are refused until its window has passed.
 */
export async function registerRequestLimits(
  server: FastifyInstance,
  redis: Redis | null,
  rates: RequestRates = {},
): Promise<void> {
  limitFiles(server, { ...limits.rates, ...rates })
  const { points, perMs } = limits.rates.http
  await server.register(rateLimit, {
    max: points,
    timeWindow: perMs,
    keyGenerator: (request) => addressKey(request.ip),
    store: createRateLimitStore('http', limits.rates.http, redis),
    allowList: (request: FastifyRequest) => !isApiCall(request) || isMediaCall(request),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', undefined, { retryAfterMs: Math.max(1, Math.ceil(ttl)) }),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': false,
    },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
  })
}

/** A balancer that gets no answer takes the server for dead, also where visitors share its address. */
const monitoring = new Set(['/livez', '/readyz', '/metrics'])

/**
 * Counts in this process only, whose time it protects: no file waits for Redis. A hook of the server, as the pages of rooms have
 * no route. Audio and covers take many small requests per listener, and listeners may share an address.
 */
function limitFiles(server: FastifyInstance, rates: Required<RequestRates>): void {
  const ofPages = createRateLimiter('pages', rates.pages)
  const ofMedia = createRateLimiter('media', rates.media)
  server.addHook('onRequest', async (request) => {
    if (isMediaCall(request)) return takePoint(ofMedia, addressKey(request.ip))
    if (isApiCall(request) || monitoring.has(routeOf(request) ?? '')) return
    await takePoint(ofPages, addressKey(request.ip))
  })
}

type Store = InstanceType<FastifyRateLimitStoreCtor>

/** Creates the framework's store for one rate, shared by all processes; local while Redis is down. */
function createRateLimitStore(name: string, rate: Rate, redis: Redis | null): FastifyRateLimitStoreCtor {
  const limiter = createSharedRateLimiter(name, rate, redis)
  return class RateLimitStore implements Store {
    async incr(key: string, callback: Parameters<Store['incr']>[1]): Promise<void> {
      // A call beyond the limit rejects with the same kind of count.
      const count: unknown = await limiter.consume(key).catch((refusal: unknown) => refusal)
      if (count instanceof RateLimiterRes) {
        callback(null, { current: count.consumedPoints, ttl: count.msBeforeNext })
      } else callback(count instanceof Error ? count : new Error('The call could not be counted'))
    }

    /** All routes share one rate. */
    child(): Store {
      return this
    }
  }
}

import rateLimit from '@fastify/rate-limit'
import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { isApiCall, isMediaCall } from '../http/request.ts'
import { createSharedCounts } from './rate-limit-store.ts'

/** Counts the calls of each address; beyond the rate they are refused until its time has passed. */
export async function registerRequestLimits(server: FastifyInstance, redis: Redis | null): Promise<void> {
  const { points, perMs } = limits.rates.http
  await server.register(rateLimit, {
    max: points,
    timeWindow: perMs,
    store: createSharedCounts('http', limits.rates.http, redis),
    // Sound and covers are many small requests of each listener, and listeners may share an address.
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

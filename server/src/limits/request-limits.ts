import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { addressKey } from '../address-key.ts'
import type { SessionKeyOf } from '../auth/session-key.ts'
import { isPageRequest } from '../http/page-request.ts'
import { isApiCall, isMediaCall, routeOf } from '../http/request.ts'
import { type Rate, createRateLimiter, createSharedRateLimiter, scaleRate, takePoint } from './rate-limits.ts'
import { otherRates } from './rates.ts'

type Kind = 'http' | 'pages' | 'media'

/** Rates that a test may set. */
type RequestRates = Partial<Record<Kind | `${Kind}Address`, Rate>>

export interface RequestLimitParts {
  sessionKeyOf: SessionKeyOf
  /** For limits shared by all processes; null where there is one process. */
  redis: Redis | null
  /** How many times more an address may have than by default. */
  addressScale: number
  requestRates?: RequestRates
}

/** Counts one request, as so many. @throws AppError rate_limited */
type TakeRequest = (request: FastifyRequest, points?: number) => Promise<void>

/** A document is made for each request, by its room and language; its files lie ready. */
export const documentPoints = 10

/** A balancer that gets no answer takes the server for dead, also where visitors share its address. */
const monitoring = new Set(['/livez', '/readyz', '/metrics'])

/**
 * Limits API calls, requests of pages and their files, and those of audio and covers; those beyond the rate are
 * refused until its window has passed. A hook of the server, as the pages of rooms have no route.
 */
export function registerRequestLimits(server: FastifyInstance, parts: RequestLimitParts): void {
  const takeCall = limitRequests('http', parts)
  // Counted in this process only, whose time they protect: no file waits for Redis.
  const takePage = limitRequests('pages', { ...parts, redis: null })
  const takeMedia = limitRequests('media', { ...parts, redis: null })
  server.addHook('onRequest', async (request) => {
    if (isMediaCall(request)) return takeMedia(request)
    if (isApiCall(request)) return takeCall(request)
    if (monitoring.has(routeOf(request) ?? '')) return
    await takePage(request, isPageRequest(request) ? documentPoints : 1)
  })
}

/**
 * Limits the requests of each session, and of each address twice over: all sessions together, and all requests
 * without one. So a client uses up its own limit first, and strangers never that of listeners behind the same
 * address.
 */
function limitRequests(kind: Kind, parts: RequestLimitParts): TakeRequest {
  const { sessionKeyOf, redis, addressScale, requestRates } = parts
  const usedRates = { ...otherRates, ...requestRates }
  const perAddress = scaleRate(usedRates[`${kind}Address`], addressScale)
  const ofSession = createSharedRateLimiter(kind, usedRates[kind], redis)
  const ofStrangers = createSharedRateLimiter(`${kind}-address`, perAddress, redis)
  const ofSessions = createRateLimiter(`${kind}-sessions`, perAddress)
  return async ({ ip, headers }, points) => {
    const address = addressKey(ip)
    const session = sessionKeyOf(headers.cookie)
    if (session === null) return takePoint(ofStrangers, address, points)
    await takePoint(ofSession, session, points)
    await takePoint(ofSessions, address, points)
  }
}

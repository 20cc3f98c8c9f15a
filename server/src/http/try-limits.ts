import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Counts tries to sign in or up: for each account from each address, and for each address in all, which people behind
 * one router share. Runs when the body is there.
 */
export function createTryLimits(server: FastifyInstance): (request: FastifyRequest) => Promise<undefined> {
  const { signIn, signInAddress } = limits.rates
  const counters: Counter[] = [
    server.createRateLimit({
      max: signInAddress.points,
      timeWindow: signInAddress.perMs,
      keyGenerator: (request) => `address ${request.ip}`,
    }),
    server.createRateLimit({
      max: signIn.points,
      timeWindow: signIn.perMs,
      keyGenerator: (request) => `account ${request.ip} ${readEmail(request.body) ?? ''}`,
      allowList: (request) => readEmail(request.body) === null,
    }),
  ]
  return async (request) => {
    for (const count of counters) {
      const taken = await count(request)
      if (taken.isAllowed || !taken.isExceeded) continue
      throw new AppError('rate_limited', undefined, { retryAfterMs: Math.max(1, Math.ceil(taken.ttl)) })
    }
  }
}

type Counter = ReturnType<FastifyInstance['createRateLimit']>

function readEmail(body: unknown): string | null {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null
  return typeof email === 'string' ? email.toLowerCase() : null
}

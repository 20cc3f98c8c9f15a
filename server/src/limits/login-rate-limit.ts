import { createHash } from 'node:crypto'
import { limits } from '@earshot/core/limits'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { createSharedRateLimiter, takePoint } from './rate-limits.ts'

/**
 * Counts tries to sign in or up: for each account from each address, and for each address in all, which people behind
 * one router share. Runs when the body is there.
 */
export function createTryLimits(redis: Redis | null): (request: FastifyRequest) => Promise<undefined> {
  const ofAddress = createSharedRateLimiter('sign-in-address', limits.rates.signInAddress, redis)
  const ofAccount = createSharedRateLimiter('sign-in', limits.rates.signIn, redis)
  return async ({ ip, body }) => {
    await takePoint(ofAddress, ip)
    const email = readEmail(body)
    if (email !== null) await takePoint(ofAccount, `${ip} ${digest(email)}`)
  }
}

function readEmail(body: unknown): string | null {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null
  return typeof email === 'string' ? email.toLowerCase() : null
}

/** An address may be of any length, and whose it is is nobody's affair where it is only counted. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url')
}

import { createHash } from 'node:crypto'
import { limits } from '@earshot/core/limits'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { createSharedRateLimiter, takePoint } from './rate-limits.ts'

/**
 * Limits attempts to sign in or up: per account and address, and per address, which may be shared by several people.
 * Runs once the body is parsed.
 */
export function createLoginRateLimit(redis: Redis | null): (request: FastifyRequest) => Promise<undefined> {
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

/** Hashes the email: it may have any length, and counters must not store personal data. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url')
}

import { createHash } from 'node:crypto'
import { limits } from '@earshot/core/limits'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { addressKey, createSharedRateLimiter, takePoint } from './rate-limits.ts'

/**
 * Limits attempts to sign in or up: per account and address; per address, which may be shared by several people; and
 * per account from anywhere, which a guesser with many addresses would reach. Runs once the body is parsed.
 */
export function createLoginRateLimit(redis: Redis | null): (request: FastifyRequest) => Promise<undefined> {
  const ofAddress = createSharedRateLimiter('sign-in-address', limits.rates.signInAddress, redis)
  const ofAccount = createSharedRateLimiter('sign-in', limits.rates.signIn, redis)
  const ofAccountAnywhere = createSharedRateLimiter('sign-in-account', limits.rates.signInAccount, redis)
  return async ({ ip, body }) => {
    const address = addressKey(ip)
    await takePoint(ofAddress, address)
    const email = readEmail(body)
    if (email === null) return
    await takePoint(ofAccount, `${address} ${digest(email)}`)
    await takePoint(ofAccountAnywhere, digest(email))
  }
}

/** Limits the new guests of an address, in a short time and per day. */
export function createGuestRateLimit(redis: Redis | null): (address: string) => Promise<void> {
  const atOnce = createSharedRateLimiter('guests', limits.rates.guests, redis)
  const daily = createSharedRateLimiter('guests-daily', limits.rates.guestsDaily, redis)
  return async (address) => {
    await takePoint(atOnce, addressKey(address))
    await takePoint(daily, addressKey(address))
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

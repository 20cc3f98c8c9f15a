import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { addressKey } from '../address-key.ts'
import { emailDigest, type KnownDevices } from './known-devices.ts'
import { createSharedRateLimiter, scaleRate, takePoint } from './rate-limits.ts'
import { otherRates } from './rates.ts'

/** Limits a request, once its body is parsed. @throws AppError rate_limited */
type LimitRequest = (request: FastifyRequest) => Promise<undefined>

/**
 * Limits attempts to sign in or up: per account and address; per address, which may be shared by several people; and
 * per account from all unknown devices, which a guesser with many addresses would reach. A device on which the account
 * has signed in has attempts of its own.
 */
export function createLoginRateLimit(
  redis: Redis | null,
  devices: Pick<KnownDevices, 'find'>,
  addressScale = 1,
): LimitRequest {
  const perAddress = scaleRate(otherRates.signInAddress, addressScale)
  const ofAddress = createSharedRateLimiter('sign-in-address', perAddress, redis)
  const ofAccount = createSharedRateLimiter('sign-in', otherRates.signIn, redis)
  const ofUnknownDevices = createSharedRateLimiter('sign-in-account', otherRates.signInAccount, redis)
  const ofDevice = createSharedRateLimiter('sign-in-device', otherRates.signInAccount, redis)
  return async ({ ip, body, headers }) => {
    const address = addressKey(ip)
    await takePoint(ofAddress, address)
    const email = readEmail(body)
    if (email === null) return
    const account = emailDigest(email)
    await takePoint(ofAccount, `${address} ${account}`)
    const device = devices.find(headers.cookie, email)
    if (device === null) await takePoint(ofUnknownDevices, account)
    else await takePoint(ofDevice, device)
  }
}

/** Limits how often signed-in users may state their password: an open session must not serve to guess it. */
export function createPasswordLimit(redis: Redis | null): (userId: string) => Promise<void> {
  const inAMinute = createSharedRateLimiter('account-password', otherRates.signIn, redis)
  const inAnHour = createSharedRateLimiter('account-password-hour', otherRates.signInAccount, redis)
  return async (userId) => {
    await takePoint(inAMinute, userId)
    await takePoint(inAnHour, userId)
  }
}

/**
 * Limits the new guests of an address, in a short time and per day, for which it may have as many times more as by
 * default.
 */
export function createGuestRateLimit(
  redis: Redis | null,
  points: number = otherRates.guests.points,
): (address: string) => Promise<void> {
  const { guests, guestsDaily } = otherRates
  const dailyPoints = Math.ceil((points * guestsDaily.points) / guests.points)
  const atOnce = createSharedRateLimiter('guests', { ...guests, points }, redis)
  const daily = createSharedRateLimiter('guests-daily', { ...guestsDaily, points: dailyPoints }, redis)
  return async (address) => {
    await takePoint(atOnce, addressKey(address))
    await takePoint(daily, addressKey(address))
  }
}

function readEmail(body: unknown): string | null {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null
  return typeof email === 'string' ? email : null
}

import type { FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createKnownDevices } from './known-devices.ts'
import { createGuestRateLimit, createLoginRateLimit, createPasswordLimit } from './login-rate-limit.ts'
import { otherRates } from './rates.ts'

const devices = createKnownDevices('a secret', true)
const requestOf = (email: string, ip = '192.0.2.1', cookie = '') =>
  ({ ip, body: { email }, headers: { cookie } }) as unknown as FastifyRequest
/** The cookie of a device on which an account has signed in, as a browser sends it. */
const deviceOf = (email: string): string => devices.remember(email).split(';')[0] ?? ''
const refusal = expect.objectContaining({ code: 'rate_limited' })

function useFakeTime(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

describe('the sign-in rate limit', () => {
  it('5.8d allows 10 attempts for one account', async () => {
    const limit = createLoginRateLimit(null, devices)
    for (let attempt = 0; attempt < 10; attempt++) await limit(requestOf('ann@example.org'))
    await expect(limit(requestOf('ann@example.org'))).rejects.toEqual(refusal)
    await limit(requestOf('ben@example.org'))
  })

  it('16.6 allows 100 attempts an hour for one account from many addresses', async () => {
    const limit = createLoginRateLimit(null, devices)
    for (let attempt = 0; attempt < 100; attempt++) {
      await limit(requestOf('ann@example.org', `198.51.100.${attempt}`))
    }
    await expect(limit(requestOf('ann@example.org', '203.0.113.1'))).rejects.toEqual(refusal)
    await limit(requestOf('ben@example.org', '203.0.113.1'))
  })

  it('16.6 counts all addresses of an IPv6 network of 64 bits as one', async () => {
    const limit = createLoginRateLimit(null, devices)
    for (let attempt = 0; attempt < 10; attempt++) {
      await limit(requestOf('ann@example.org', `2001:db8:0:7::${attempt}`))
    }
    await expect(limit(requestOf('ann@example.org', '2001:db8:0:7:1:2:3:4'))).rejects.toEqual(refusal)
    await limit(requestOf('ann@example.org', '2001:db8:0:8::1'))
  })

  it('5.8d allows 100 attempts from one address', async () => {
    const limit = createLoginRateLimit(null, devices)
    for (let attempt = 0; attempt < 100; attempt++) await limit(requestOf(`user-${attempt}@example.org`))
    await expect(limit(requestOf('one-more@example.org'))).rejects.toEqual(refusal)
  })

  it('16.121 strangers who use up the attempts of an account lock out no device that it knows', async () => {
    const limit = createLoginRateLimit(null, devices)
    const attempt = (index: number, cookie: string) =>
      limit(requestOf('Ann@example.org', `198.51.100.${index}`, cookie))
    for (let index = 0; index < 100; index++) await attempt(index, deviceOf('eve@example.org'))
    await expect(attempt(100, '')).rejects.toEqual(refusal)
    await expect(attempt(100, 'earshot.device=AAAA.BBBB')).rejects.toEqual(refusal)

    const known = `other=1; ${deviceOf(' ann@EXAMPLE.org')}`
    for (let index = 0; index < 100; index++) await attempt(100 + index, known)
    await expect(attempt(200, known)).rejects.toEqual(refusal)
    await attempt(200, deviceOf('ann@example.org'))
  })

  it('16.122 a user may state their password 10 times a minute, whatever the address', async () => {
    const takePoint = createPasswordLimit(null)
    for (let attempt = 0; attempt < 10; attempt++) await takePoint('ann')
    await expect(takePoint('ann')).rejects.toEqual(refusal)
    await takePoint('ben')
  })

  it('16.122 a user may state their password 100 times an hour', async () => {
    useFakeTime()
    const takePoint = createPasswordLimit(null)
    for (let attempt = 0; attempt < 100; attempt++) {
      if (attempt % 10 === 0) vi.advanceTimersByTime(60_001)
      await takePoint('ann')
    }
    vi.advanceTimersByTime(60_001)
    await expect(takePoint('ann')).rejects.toEqual(refusal)
    await takePoint('ben')
  })

  it('17.16 an address makes at most 300 guests a day', async () => {
    useFakeTime()
    const takePoint = createGuestRateLimit(null)
    for (let guest = 0; guest < 300; guest++) {
      if (guest % 60 === 0) vi.advanceTimersByTime(600_001)
      await takePoint(`2001:db8:0:7::${guest}`)
    }
    vi.advanceTimersByTime(600_001)
    await expect(takePoint('2001:db8:0:7::999')).rejects.toEqual(refusal)
    await takePoint('2001:db8:0:8::1')
  })
})

it('17.348 a venue with a higher limit of guests gets a higher one for the day, too', async () => {
  const atOnce = otherRates.guestsDaily.points + 100
  const limit = createGuestRateLimit(null, atOnce)
  for (let guest = 1; guest <= atOnce; guest++) await limit('192.0.2.1')
  await expect(limit('192.0.2.1')).rejects.toEqual(refusal)
})

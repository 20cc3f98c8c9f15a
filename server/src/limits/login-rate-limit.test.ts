import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createLoginRateLimit } from './login-rate-limit.ts'

const requestOf = (email: string, ip = '192.0.2.1') => ({ ip, body: { email } }) as unknown as FastifyRequest
const refusal = expect.objectContaining({ code: 'rate_limited' })

describe('the sign-in rate limit', () => {
  it('5.8d allows 10 attempts for one account', async () => {
    const limit = createLoginRateLimit(null)
    for (let attempt = 0; attempt < 10; attempt++) await limit(requestOf('ann@example.org'))
    await expect(limit(requestOf('ann@example.org'))).rejects.toEqual(refusal)
    await limit(requestOf('ben@example.org'))
  })

  it('16.6 allows 100 attempts an hour for one account from many addresses', async () => {
    const limit = createLoginRateLimit(null)
    for (let attempt = 0; attempt < 100; attempt++) {
      await limit(requestOf('ann@example.org', `198.51.100.${attempt}`))
    }
    await expect(limit(requestOf('ann@example.org', '203.0.113.1'))).rejects.toEqual(refusal)
    await limit(requestOf('ben@example.org', '203.0.113.1'))
  })

  it('16.6 counts all addresses of an IPv6 network of 64 bits as one', async () => {
    const limit = createLoginRateLimit(null)
    for (let attempt = 0; attempt < 10; attempt++) {
      await limit(requestOf('ann@example.org', `2001:db8:0:7::${attempt}`))
    }
    await expect(limit(requestOf('ann@example.org', '2001:db8:0:7:1:2:3:4'))).rejects.toEqual(refusal)
    await limit(requestOf('ann@example.org', '2001:db8:0:8::1'))
  })

  it('5.8d allows 100 attempts from one address', async () => {
    const limit = createLoginRateLimit(null)
    for (let attempt = 0; attempt < 100; attempt++) await limit(requestOf(`user-${attempt}@example.org`))
    await expect(limit(requestOf('one-more@example.org'))).rejects.toEqual(refusal)
  })
})

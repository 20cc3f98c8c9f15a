import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createLoginRateLimit } from './login-rate-limit.ts'

const requestOf = (email: string) => ({ ip: '192.0.2.1', body: { email } }) as unknown as FastifyRequest
const refusal = expect.objectContaining({ code: 'rate_limited' })

describe('the sign-in rate limit', () => {
  it('5.8d allows 10 attempts for one account', async () => {
    const limit = createLoginRateLimit(null)
    for (let attempt = 0; attempt < 10; attempt++) await limit(requestOf('ann@example.org'))
    await expect(limit(requestOf('ann@example.org'))).rejects.toEqual(refusal)
    await limit(requestOf('ben@example.org'))
  })

  it('5.8d allows 100 attempts from one address', async () => {
    const limit = createLoginRateLimit(null)
    for (let attempt = 0; attempt < 100; attempt++) await limit(requestOf(`user-${attempt}@example.org`))
    await expect(limit(requestOf('one-more@example.org'))).rejects.toEqual(refusal)
  })
})

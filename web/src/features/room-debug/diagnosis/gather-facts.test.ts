import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { checkSession, toHealthFacts } from './server-check.ts'

const { signal } = new AbortController()

describe('the health of a server', () => {
  const report = (status: number, body: unknown) => toHealthFacts({ status, latencyMs: 3, body })

  it('2.37c is good or not by the status of its answer', () => {
    const version = '1.2.3'
    expect(report(200, { status: 'ok', version })).toEqual({ state: 'healthy', latencyMs: 3, version })
    expect(report(503, { version })).toEqual({ state: 'unhealthy', latencyMs: 3, version })
  })

  it('has no version where a proxy answers in its place', () => {
    for (const body of [null, 'Bad gateway', {}, { version: 2 }]) {
      expect(report(502, body)).toEqual({ state: 'unhealthy', latencyMs: 3, version: null })
    }
  })

  it('2.37c is silence where nothing answers', () => {
    expect(toHealthFacts(null)).toEqual({ state: 'unreachable', latencyMs: null, version: null })
  })
})

describe('the session', () => {
  const answer = (error: AppError) =>
    answerCalls({
      'GET /api/profile': () => {
        throw error
      },
    })

  it('2.37c is missing where the server does not know who asks', async () => {
    answer(new AppError('unauthenticated'))
    expect(await checkSession(signal)).toBe('signed_out')
  })

  it('is not known where the server has other worries', async () => {
    answer(new AppError('internal'))
    await expect(checkSession(signal)).rejects.toMatchObject({ code: 'internal' })
  })
})

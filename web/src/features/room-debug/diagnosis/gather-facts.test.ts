import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { checkSession, probeClock, toHealthFacts } from './gather-facts.ts'

const { signal } = new AbortController()

describe('the health of a server', () => {
  const report = (status: number, body: unknown) => toHealthFacts({ status, latencyMs: 3, body })

  it('2.37c follows from the status of the answer', () => {
    const version = '1.2.3'
    expect(report(200, { status: 'ok', version })).toEqual({ state: 'healthy', latencyMs: 3, version })
    expect(report(503, { version })).toEqual({ state: 'unhealthy', latencyMs: 3, version })
  })

  it('has no version if a proxy answers instead', () => {
    for (const body of [null, 'Bad gateway', {}, { version: 2 }]) {
      expect(report(502, body)).toEqual({ state: 'unhealthy', latencyMs: 3, version: null })
    }
  })

  it('2.37c is unknown without an answer', () => {
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

  it('2.37c is missing if the server does not recognise the user', async () => {
    answer(new AppError('unauthenticated'))
    expect(await checkSession(signal)).toBe('signed_out')
  })

  it('is unknown if the server fails', async () => {
    answer(new AppError('internal'))
    await expect(checkSession(signal)).rejects.toMatchObject({ code: 'internal' })
  })
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Answers after each of these times; null is a failed probe, and probes after the last get no answer. */
const clockWith = (times: (number | null)[]) => ({
  probe: () => {
    const rttMs = times.shift()
    if (rttMs === undefined) return new Promise<null>(() => undefined)
    return new Promise<number | null>((resolve) => setTimeout(() => resolve(rttMs), rttMs ?? 0))
  },
})

it('2.37c a diagnosis sends its probes one after the other and counts the answers', async () => {
  const times = Array.from({ length: limits.diagnosis.probeCount }, (_, index) => index)
  const probing = probeClock(clockWith([...times]), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(limits.diagnosis.stepTimeoutMs)
  expect(await probing).toEqual({ probesSent: times.length, roundTripsMs: times })
})

it('2.37c a probe without an answer within the timeout counts as lost', async () => {
  const end = new AbortController()
  const probing = probeClock(clockWith([5, null, 7]), end.signal)
  await vi.advanceTimersByTimeAsync(limits.diagnosis.stepTimeoutMs)
  end.abort()
  expect(await probing).toEqual({ probesSent: limits.diagnosis.probeCount, roundTripsMs: [5, 7] })
})

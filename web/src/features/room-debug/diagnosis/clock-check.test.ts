import { limits } from '@earshot/core/limits'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { probeClock } from './clock-check.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Answers after each of these times; null is no answer, and nothing at all after the last. */
const clockWith = (times: (number | null)[]) => ({
  probe: () => {
    const rttMs = times.shift()
    if (rttMs === undefined) return new Promise<null>(() => undefined)
    return new Promise<number | null>((resolve) => setTimeout(() => resolve(rttMs), rttMs ?? 0))
  },
})

it('2.37c the probes of a diagnosis go out one after the other, and all that come back count', async () => {
  const times = Array.from({ length: limits.diagnosis.probeCount }, (_, index) => index)
  const probing = probeClock(clockWith([...times]), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(limits.diagnosis.stepTimeoutMs)
  expect(await probing).toEqual({ probesSent: times.length, roundTripsMs: times })
})

it('2.37c a probe without an answer is lost, and nobody waits for it beyond the time', async () => {
  const end = new AbortController()
  const probing = probeClock(clockWith([5, null, 7]), end.signal)
  await vi.advanceTimersByTimeAsync(limits.diagnosis.stepTimeoutMs)
  end.abort()
  expect(await probing).toEqual({ probesSent: limits.diagnosis.probeCount, roundTripsMs: [5, 7] })
})

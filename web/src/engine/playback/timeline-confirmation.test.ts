import { addProbe, type ClockState, initialClock } from '@earshot/core/sync/clock/clock-offset'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TimelineConfirmation } from './timeline-confirmation.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A clock whose latest sample is of an instant. */
const sampledAt = (atMs: number): ClockState =>
  addProbe(initialClock, {
    sentAtMs: atMs,
    serverReceivedAtMs: atMs,
    serverSentAtMs: atMs,
    returnedAtMs: atMs,
  })

const start = 1_000_000
const at = (wallMs: number, systemMs = wallMs) => ({ wallMs: start + wallMs, systemMs: start + systemMs })

/** Its requests are answered, or fail, in this order. */
function confirm(answers: boolean[], isRestored = false) {
  const request = vi.fn<() => Promise<void>>(() =>
    answers.shift() ? Promise.resolve() : Promise.reject(new Error('No answer')),
  )
  const leaving = new AbortController()
  const onConfirmed = vi.fn<() => void>()
  const parts = { isRestored, request, onConfirmed, signal: leaving.signal }
  return { request, leaving, onConfirmed, confirmation: new TimelineConfirmation(parts) }
}

it('11.1c a restored timeline is outdated until the server has confirmed it', () => {
  const { confirmation, request } = confirm([], true)
  expect(confirmation.isOutdated(sampledAt(start))).toBe(true)
  confirmation.noteTimeline(at(0))
  expect(confirmation.isOutdated(sampledAt(start))).toBe(false)
  expect(request).not.toHaveBeenCalled()
})

it.each([
  ['the page was stopped', at(41_000)],
  ['the machine slept, and its monotonic clock with it', at(1_250, 601_000)],
])('15.49 after %s, timeline and clock must be confirmed', async (_case, resumed) => {
  const { confirmation, request } = confirm([true])
  confirmation.check(at(1_000))
  expect(confirmation.isOutdated(sampledAt(start + 900))).toBe(false)
  confirmation.check(resumed)
  const measured = sampledAt(resumed.wallMs + 10)
  expect(confirmation.isOutdated(measured)).toBe(true)
  expect(request).toHaveBeenCalledTimes(1)

  await vi.advanceTimersByTimeAsync(0)
  expect(confirmation.isOutdated(sampledAt(start + 900))).toBe(true)
  expect(confirmation.isOutdated(measured)).toBe(false)
})

it('15.49 asks again each second until the server answers, or the room is left', async () => {
  const { confirmation, request, leaving } = confirm([false, false, true, false])
  confirmation.check(at(0))
  confirmation.check(at(10_000))
  await vi.advanceTimersByTimeAsync(1_500)
  expect(confirmation.isOutdated(sampledAt(start + 10_100))).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(request).toHaveBeenCalledTimes(3)
  expect(confirmation.isOutdated(sampledAt(start + 10_100))).toBe(false)

  confirmation.check(at(30_000))
  leaving.abort()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(request).toHaveBeenCalledTimes(4)
})

it('15.49 a busy or throttled page, and a clock that is set back, change nothing', () => {
  const { confirmation, request } = confirm([])
  const times = [at(0), at(125), at(3_900), at(4_900, 1_000), at(5_900, -3_600_000), at(6_900, -3_599_000)]
  for (const now of times) confirmation.check(now)
  expect(request).not.toHaveBeenCalled()
  expect(confirmation.isOutdated(sampledAt(start))).toBe(false)
})

it('16.278 says when the server has confirmed the timeline, as nothing else wakes the player of a hidden page', async () => {
  const { confirmation, onConfirmed } = confirm([false, true])
  confirmation.check(at(0))
  confirmation.check(at(60_000))
  await vi.advanceTimersByTimeAsync(999)
  expect(onConfirmed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onConfirmed).toHaveBeenCalledTimes(1)
})

it('16.278 a timeline that arrives after the gap is not distrusted; the clock is, until it has a new sample', () => {
  const { confirmation } = confirm([])
  confirmation.check(at(0))
  confirmation.noteTimeline(at(60_000))
  confirmation.check(at(60_000))
  expect(confirmation.isOutdated(sampledAt(start + 100))).toBe(true)
  expect(confirmation.isOutdated(sampledAt(start + 60_100))).toBe(false)
})

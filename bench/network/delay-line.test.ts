import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it } from 'vitest'
import { calmPath, createDelayLine, type PathConditions } from './delay-line.ts'

/** Sends `count` things, one every `everyMs`, and tells when each arrived after its sending, in order of arrival. */
function sendMany(
  conditions: PathConditions,
  options: { seed?: number; count?: number; everyMs?: number } = {},
) {
  const { seed = 1, count = 2_000, everyMs = 10 } = options
  const clock = createFakeClock(0)
  const line = createDelayLine(clock, seed, conditions)
  const arrivals: { index: number; delayMs: number; atMs: number }[] = []
  for (let index = 0; index < count; index += 1) {
    const sentAtMs = clock.now()
    line.send(() => arrivals.push({ index, delayMs: clock.now() - sentAtMs, atMs: clock.now() }))
    clock.advance(everyMs)
  }
  clock.advance(60_000)
  return arrivals
}

describe('a delay line', () => {
  it('hands everything over after the delay, to the millisecond', () => {
    const arrivals = sendMany({ ...calmPath, delayMs: 120 }, { count: 50 })
    expect(arrivals.map(({ delayMs }) => delayMs)).toEqual(Array.from({ length: 50 }, () => 120))
  })

  it('spreads the delays evenly over the jitter, where the gaps leave room for it', () => {
    const delays = sendMany({ ...calmPath, delayMs: 100, jitterMs: 30 }, { everyMs: 100 }).map(
      ({ delayMs }) => delayMs,
    )
    const mean = delays.reduce((sum, delayMs) => sum + delayMs, 0) / delays.length
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(70)
    expect(Math.max(...delays)).toBeLessThanOrEqual(130)
    expect(mean).toBeGreaterThan(98)
    expect(mean).toBeLessThan(102)
    expect(delays.filter((delayMs) => delayMs < 75).length / delays.length).toBeCloseTo(5 / 60, 1)
  })

  it('keeps the order, however large the jitter', () => {
    const arrivals = sendMany({ ...calmPath, delayMs: 100, jitterMs: 100 }, { everyMs: 1 })
    expect(arrivals.map(({ index }) => index)).toEqual(arrivals.map((_, index) => index))
  })

  it('holds up in a stall, and hands over together at its end', () => {
    const conditions = { ...calmPath, delayMs: 50, stallEveryMs: 2_000, stallMs: 300 }
    const arrivals = sendMany(conditions)
    const held = arrivals.filter(({ delayMs }) => delayMs > 50)
    const ends = new Set(held.map(({ atMs }) => atMs))
    expect(ends.size).toBeGreaterThan(4)
    expect(ends.size).toBeLessThan(20)
    expect(Math.max(...held.map(({ delayMs }) => delayMs))).toBeGreaterThan(300)
    expect(Math.max(...held.map(({ delayMs }) => delayMs))).toBeLessThanOrEqual(350)
  })

  it('does the same again with the same seed, and something else with another', () => {
    const conditions = { delayMs: 100, jitterMs: 30, stallEveryMs: 3_000, stallMs: 200 }
    const once = sendMany(conditions, { seed: 5 })
    expect(sendMany(conditions, { seed: 5 })).toEqual(once)
    expect(sendMany(conditions, { seed: 6 })).not.toEqual(once)
  })

  it('takes new conditions for what is sent from then on, and still lets nothing overtake', () => {
    const clock = createFakeClock(0)
    const line = createDelayLine(clock, 1, { ...calmPath, delayMs: 200 })
    const arrivals: string[] = []
    line.send(() => arrivals.push(`first at ${clock.now()}`))
    line.setConditions({ ...calmPath, delayMs: 10 })
    line.send(() => arrivals.push(`second at ${clock.now()}`))
    clock.advance(200)
    line.send(() => arrivals.push(`third at ${clock.now()}`))
    clock.advance(200)
    expect(arrivals).toEqual(['first at 200', 'second at 200', 'third at 210'])
  })

  it('delivers nothing that was cut off', () => {
    const clock = createFakeClock(0)
    const line = createDelayLine(clock, 1, { ...calmPath, delayMs: 20 })
    const arrivals: number[] = []
    line.send(() => arrivals.push(1))
    line.cut()
    clock.advance(100)
    expect(arrivals).toEqual([])
    expect(clock.pending).toBe(0)
    line.send(() => arrivals.push(2))
    clock.advance(20)
    expect(arrivals).toEqual([2])
  })
})

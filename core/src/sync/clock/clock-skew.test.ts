import { describe, expect, it } from 'vitest'
import { burst, offsetAt, probeAt, symmetric } from '../../testing/clock-probes.ts'
import { createRandom } from '../../testing/random.ts'
import { type ClockState, estimateClock, initialClock } from './clock-offset.ts'

describe('the skew between the clocks', () => {
  const run = (skewPpm: number, jitterMs: number, untilMs: number, seed: number): ClockState => {
    const random = createRandom(seed)
    let state = initialClock
    for (let atMs = 0; atMs < untilMs; atMs += atMs < 800 ? 50 : 2_500) {
      const path = {
        offsetMs: 100,
        upMs: 10 + random() * jitterMs,
        downMs: 10 + random() * jitterMs,
        skewPpm,
      }
      state = probeAt(state, atMs, path)
    }
    return state
  }

  it('is measured over minutes on a quiet path, and extrapolates between probes', () => {
    for (const skewPpm of [-120, -15, 0, 40, 200]) {
      const state = run(skewPpm, 0, 300_000, 1)
      expect(estimateClock(state, 300_000).skewPpm).toBeCloseTo(skewPpm, 0)
      const inAMinuteMs = 360_000
      const trueOffset = 100 + inAMinuteMs * (skewPpm / 1e6)
      expect(Math.abs(offsetAt(state, inAMinuteMs) - trueOffset)).toBeLessThan(0.2)
    }
  })

  it('stays plausible on a jittery path', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const state = run(20, 60, 300_000, seed)
      expect(Math.abs(estimateClock(state, 300_000).skewPpm - 20)).toBeLessThan(60)
      expect(Math.abs(offsetAt(state, 300_000) - 106)).toBeLessThan(20)
    }
  })

  it('is 0 before there are enough samples', () => {
    expect(estimateClock(burst(initialClock, 0, { ...symmetric, skewPpm: 100 }), 800).skewPpm).toBe(0)
  })
})

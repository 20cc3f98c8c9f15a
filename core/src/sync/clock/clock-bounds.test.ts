import { describe, expect, it } from 'vitest'
import { createRandom } from '../../testing/random.ts'
import { boundOffset } from './clock-bounds.ts'
import type { ClockSample } from './clock-offset.ts'

/** A sample of clocks that are `offsetMs` apart, by the time that it was under way there and back. */
const sampleOf = (upMs: number, downMs: number, atClientMs = 0, offsetMs = 1_000): ClockSample => ({
  atClientMs,
  offsetMs: offsetMs + (upMs - downMs) / 2,
  rttMs: upMs + downMs,
})

describe('the bounds of the offset', () => {
  it('join the fastest way there and the fastest way back of different probes', () => {
    expect(boundOffset([sampleOf(10, 70)], 0, 0)).toBe(970)
    expect(boundOffset([sampleOf(10, 70), sampleOf(70, 10)], 0, 0)).toBe(1_000)
  })

  it('bring the offset of an unsteady path nearer than its quickest probe', () => {
    const random = createRandom(3)
    const errorsMs = Array.from({ length: 200 }, () => {
      const samples = Array.from({ length: 16 }, () => sampleOf(70 + random() * 60, 70 + random() * 60))
      const quickest = samples.reduce((best, sample) => (sample.rttMs < best.rttMs ? sample : best))
      const boundMs = boundOffset(samples, 0, 0) ?? Infinity
      return { bound: Math.abs(boundMs - 1_000), quickest: Math.abs(quickest.offsetMs - 1_000) }
    })
    const sumOf = (key: 'bound' | 'quickest'): number =>
      errorsMs.reduce((sum, errors) => sum + errors[key], 0)
    expect(sumOf('bound')).toBeLessThan(0.4 * sumOf('quickest'))
  })

  it('move with the skew, and get looser with age', () => {
    expect(boundOffset([sampleOf(10, 10)], 50, 10_000)).toBeCloseTo(1_000.5, 9)
    const old = sampleOf(10, 10, -40_000)
    expect(boundOffset([old, sampleOf(20, 20, 0, 1_025)], 0, 0)).toBeCloseTo((1_005 + 1_011.2) / 2, 9)
  })

  it('are none where the samples exclude each other', () => {
    expect(boundOffset([sampleOf(5, 5), sampleOf(5, 5, 0, 1_011)], 0, 0)).toBeNull()
    expect(boundOffset([sampleOf(5, 5), sampleOf(5, 5, 0, 1_009)], 0, 0)).toBe(1_004.5)
  })
})

import { describe, expect, it } from 'vitest'
import type { ClockSample } from './clock-offset.ts'
import { steadyOffset } from './steady-offset.ts'

const sampleOf = (offsetMs: number, rttMs: number, atClientMs = 0): ClockSample => ({
  atClientMs,
  offsetMs,
  rttMs,
})

describe('the offset on a steady path', () => {
  it('is the median of what the quick samples say', () => {
    const samples = [sampleOf(1_000.2, 20.3), sampleOf(999.9, 20), sampleOf(1_000, 20.1), sampleOf(1_009, 38)]
    expect(steadyOffset(samples, 0, 0)).toBe(1_000)
  })

  it('takes no notice of one from an unsteady moment, though it excludes half of what the others allow', () => {
    const steady = Array.from({ length: 15 }, () => sampleOf(1_000, 20))
    expect(steadyOffset([sampleOf(991.2, 24.3), ...steady], 0, 0)).toBe(1_000)
  })

  it('is unknown where most samples were held up', () => {
    expect(steadyOffset([sampleOf(1_000, 20), sampleOf(1_004, 28)], 0, 0)).toBeNull()
    expect(steadyOffset([sampleOf(1_000, 20), sampleOf(1_000, 20.5), sampleOf(1_004, 28)], 0, 0)).toBe(1_000)
  })

  it('comes from the recent ones, since clocks drift apart', () => {
    const old = Array.from({ length: 12 }, () => sampleOf(1_000, 20, -15_000))
    expect(steadyOffset([...old, sampleOf(1_001.5, 20)], 0, 0)).toBe(1_001.5)
  })

  it('moves with the skew', () => {
    expect(steadyOffset([sampleOf(1_000, 20)], 50, 10_000)).toBeCloseTo(1_000.5, 9)
  })
})

import { describe, expect, it } from 'vitest'
import type { ClockSample } from './clock-offset.ts'
import { fitSkewPpm, keepForSkew } from './clock-skew.ts'

const sampleAt = (atClientMs: number, rttMs = 20, offsetMs = 0): ClockSample => ({
  atClientMs,
  rttMs,
  offsetMs,
})
const keepAll = (samples: readonly ClockSample[]): readonly ClockSample[] =>
  samples.reduce(keepForSkew, [] as readonly ClockSample[])

/** One sample every 10 s from clocks that drift apart, on a path without jitter. */
const drifting = (ppm: number, count: number): ClockSample[] =>
  Array.from({ length: count }, (_, index) => sampleAt(index * 10_000, 20, index * 10_000 * (ppm / 1e6)))

describe('what is kept to know the skew', () => {
  it('are the samples of 5 minutes', () => {
    const times = (kept: readonly ClockSample[]): number[] => kept.map(({ atClientMs }) => atClientMs)
    expect(times(keepAll([sampleAt(0), sampleAt(300_000)]))).toEqual([0, 300_000])
    expect(times(keepAll([sampleAt(0), sampleAt(300_001)]))).toEqual([300_001])
  })

  it('is the quickest sample of each stretch of 10 s', () => {
    const kept = keepAll([sampleAt(0, 30), sampleAt(5_000, 20), sampleAt(9_999, 25), sampleAt(10_000, 40)])
    expect(kept).toEqual([sampleAt(5_000, 20), sampleAt(10_000, 40)])
  })
})

describe('the skew', () => {
  it('is not known from fewer than 6 samples', () => {
    expect(fitSkewPpm(drifting(100, 5))).toBe(0)
    expect(fitSkewPpm(drifting(100, 6))).toBeGreaterThan(20)
  })

  it('is believed as far as the samples settle it, and then to the ppm', () => {
    expect(fitSkewPpm(drifting(100, 6))).toBeLessThan(98)
    expect(fitSkewPpm(drifting(100, 31))).toBeCloseTo(100, 0)
  })

  it('is never taken for more than 500 ppm', () => {
    expect(fitSkewPpm(drifting(450, 31))).toBeGreaterThan(440)
    expect(fitSkewPpm(drifting(2_000, 31))).toBe(500)
    expect(fitSkewPpm(drifting(-2_000, 31))).toBe(-500)
  })

  it('is not thrown by slow samples', () => {
    const samples = drifting(40, 31).map((sample, index) =>
      index % 4 === 3 ? { ...sample, rttMs: 220, offsetMs: sample.offsetMs + 90 } : sample,
    )
    expect(Math.abs(fitSkewPpm(samples) - 40)).toBeLessThan(5)
  })
})

import { describe, expect, it } from 'vitest'
import { createRandom } from '../../testing/random.ts'
import {
  boundOffset,
  type ClockSample,
  estimateOffset,
  fitSkewPpm,
  keepForSkew,
  steadyOffset,
} from './sample-estimates.ts'

const sampleOf = (offsetMs: number, rttMs: number, atClientMs = 0): ClockSample => ({
  atClientMs,
  offsetMs,
  rttMs,
})

describe('the offset on a steady path', () => {
  it('is the median of the undelayed samples', () => {
    const samples = [sampleOf(1_000.2, 20.3), sampleOf(999.9, 20), sampleOf(1_000, 20.1), sampleOf(1_009, 38)]
    expect(steadyOffset(samples, 0, 0)).toBe(1_000)
  })

  it('ignores a delayed sample, although its bounds exclude half of the others’ range', () => {
    const steady = Array.from({ length: 15 }, () => sampleOf(1_000, 20))
    expect(steadyOffset([sampleOf(991.2, 24.3), ...steady], 0, 0)).toBe(1_000)
  })

  it('is null if most samples were delayed', () => {
    expect(steadyOffset([sampleOf(1_000, 20), sampleOf(1_004, 28)], 0, 0)).toBeNull()
    expect(steadyOffset([sampleOf(1_000, 20), sampleOf(1_000, 20.5), sampleOf(1_004, 28)], 0, 0)).toBe(1_000)
  })

  it('uses recent samples only, since clocks drift apart', () => {
    const old = Array.from({ length: 12 }, () => sampleOf(1_000, 20, -15_000))
    expect(steadyOffset([...old, sampleOf(1_001.5, 20)], 0, 0)).toBe(1_001.5)
  })

  it('follows the skew', () => {
    expect(steadyOffset([sampleOf(1_000, 20)], 50, 10_000)).toBeCloseTo(1_000.5, 9)
  })
})

/** A sample of clocks that are `offsetMs` apart, from the delays in both directions. */
const sampleWith = (upMs: number, downMs: number, atClientMs = 0, offsetMs = 1_000): ClockSample => ({
  atClientMs,
  offsetMs: offsetMs + (upMs - downMs) / 2,
  rttMs: upMs + downMs,
})

/** The middle of the bounds. */
function boundMiddle(samples: readonly ClockSample[], skewPpm = 0, nowMs = 0): number | null {
  const bounds = boundOffset(samples, skewPpm, nowMs)
  return bounds && (bounds.lowestMs + bounds.highestMs) / 2
}

describe('the offset from intersected bounds', () => {
  it('combines the fastest request and the fastest response of different probes', () => {
    expect(boundMiddle([sampleWith(10, 70)])).toBe(970)
    expect(boundMiddle([sampleWith(10, 70), sampleWith(70, 10)])).toBe(1_000)
  })

  it('has a sampling error: the spacing of the tightest bounds, larger with fewer samples', () => {
    const random = createRandom(8)
    const errorOf = (count: number): number => {
      const samples = Array.from({ length: count }, () => sampleWith(70 + random() * 60, 70 + random() * 60))
      return boundOffset(samples, 0, 0)?.samplingErrorMs ?? Infinity
    }
    const meanOf = (count: number): number => {
      const errors = Array.from({ length: 200 }, () => errorOf(count))
      return errors.reduce((sum, error) => sum + error, 0) / errors.length
    }
    expect(errorOf(2)).toBe(Infinity)
    expect(meanOf(16)).toBeGreaterThan(1.5)
    expect(meanOf(16)).toBeLessThan(3.5)
    expect(meanOf(64)).toBeLessThan(1)
  })

  it('is more accurate on a jittery path than the fastest probe', () => {
    const random = createRandom(3)
    const errorsMs = Array.from({ length: 200 }, () => {
      const samples = Array.from({ length: 16 }, () => sampleWith(70 + random() * 60, 70 + random() * 60))
      const quickest = samples.reduce((best, sample) => (sample.rttMs < best.rttMs ? sample : best))
      const boundMs = boundMiddle(samples) ?? Infinity
      return { bound: Math.abs(boundMs - 1_000), quickest: Math.abs(quickest.offsetMs - 1_000) }
    })
    const sumOf = (key: 'bound' | 'quickest'): number =>
      errorsMs.reduce((sum, errors) => sum + errors[key], 0)
    expect(sumOf('bound')).toBeLessThan(0.4 * sumOf('quickest'))
  })

  it('follows the skew, with bounds that widen with age', () => {
    expect(boundMiddle([sampleWith(10, 10)], 50, 10_000)).toBeCloseTo(1_000.5, 9)
    const old = sampleWith(10, 10, -40_000)
    expect(boundMiddle([old, sampleWith(20, 20, 0, 1_025)])).toBeCloseTo((1_005 + 1_011.2) / 2, 9)
  })

  it('is null if the bounds do not intersect', () => {
    expect(boundOffset([sampleWith(5, 5), sampleWith(5, 5, 0, 1_011)], 0, 0)).toBeNull()
    expect(boundMiddle([sampleWith(5, 5), sampleWith(5, 5, 0, 1_009)])).toBe(1_004.5)
  })
})

describe('the estimate of the offset', () => {
  const nowMs = 60_000
  const now = (upMs: number, downMs: number): ClockSample => sampleWith(upMs, downMs, nowMs)

  it('is bounded by the interval’s farther end', () => {
    const steady = [now(10, 30), now(10, 30), now(10.2, 30.2)]
    const estimate = estimateOffset(steady, [], 0, nowMs)
    expect(estimate).toMatchObject({ offsetMs: 990, boundMs: 20, samplingErrorMs: 0 })
    const jittery = [now(10, 70), now(70, 10)]
    expect(estimateOffset(jittery, [], 0, nowMs)).toMatchObject({ offsetMs: 1_000, boundMs: 10 })
  })

  it('uses the best samples of the last minutes while a transfer fills the way down', () => {
    const before = sampleWith(15, 15, 0)
    const during = Array.from({ length: 8 }, (_, index) => now(15 + index / 10, 40 + 2 * index))
    expect(estimateOffset(during, [], 0, nowMs)?.offsetMs).toBeCloseTo(1_000 - 12.5, 6)
    // Looser by 30 ppm of the minute.
    expect(estimateOffset(during, [before], 0, nowMs)?.offsetMs).toBeCloseTo(1_000 - 0.9, 6)
  })

  it('drops samples of the last minutes that contradict the current ones', () => {
    const before = sampleWith(5, 5, 0, 1_020)
    expect(estimateOffset([now(5, 5)], [before], 0, nowMs)?.offsetMs).toBe(1_000)
    expect(estimateOffset([now(5, 5), sampleWith(5, 5, nowMs, 1_020)], [], 0, nowMs)).toBeNull()
  })
})

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

describe('the history for the skew', () => {
  it('keeps samples for 5 minutes', () => {
    const times = (kept: readonly ClockSample[]): number[] => kept.map(({ atClientMs }) => atClientMs)
    expect(times(keepAll([sampleAt(0), sampleAt(300_000)]))).toEqual([0, 300_000])
    expect(times(keepAll([sampleAt(0), sampleAt(300_001)]))).toEqual([300_001])
  })

  it('keeps the sample with the shortest round trip of each 10 s', () => {
    const kept = keepAll([sampleAt(0, 30), sampleAt(5_000, 20), sampleAt(9_999, 25), sampleAt(10_000, 40)])
    expect(kept).toEqual([sampleAt(5_000, 20), sampleAt(10_000, 40)])
  })
})

describe('the skew', () => {
  it('is 0 with fewer than 6 samples', () => {
    expect(fitSkewPpm(drifting(100, 5))).toBe(0)
    expect(fitSkewPpm(drifting(100, 6))).toBeGreaterThan(20)
  })

  it('is biased towards 0 with few samples, and exact to the ppm with many', () => {
    expect(fitSkewPpm(drifting(100, 6))).toBeLessThan(98)
    expect(fitSkewPpm(drifting(100, 31))).toBeCloseTo(100, 0)
  })

  it('is limited to 500 ppm', () => {
    expect(fitSkewPpm(drifting(450, 31))).toBeGreaterThan(440)
    expect(fitSkewPpm(drifting(2_000, 31))).toBe(500)
    expect(fitSkewPpm(drifting(-2_000, 31))).toBe(-500)
  })

  it('is robust against slow samples', () => {
    const samples = drifting(40, 31).map((sample, index) =>
      index % 4 === 3 ? { ...sample, rttMs: 220, offsetMs: sample.offsetMs + 90 } : sample,
    )
    expect(Math.abs(fitSkewPpm(samples) - 40)).toBeLessThan(5)
  })
})

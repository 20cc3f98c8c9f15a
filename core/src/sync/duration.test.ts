import { describe, expect, it } from 'vitest'
import { isDurationCorrection, knownDurationMs } from './duration.ts'

describe('durations', () => {
  it('9.15 180000 ms means unknown, except for a measured file', () => {
    expect(knownDurationMs({ duration: 180_000, source: 'youtube' })).toBe(0)
    expect(knownDurationMs({ duration: 180_000, source: 'spotify' })).toBe(0)
    expect(knownDurationMs({ duration: 180_000, source: 'library' })).toBe(180_000)
    expect(knownDurationMs({ duration: 200_000, source: 'youtube' })).toBe(200_000)
    expect(knownDurationMs(null)).toBe(0)
  })

  it('4.21a, 9.15 are corrected if they differ by more than 5 s, or were unknown', () => {
    expect(isDurationCorrection(200_000, 205_000)).toBe(false)
    expect(isDurationCorrection(200_000, 205_001)).toBe(true)
    expect(isDurationCorrection(200_000, 194_999)).toBe(true)
    expect(isDurationCorrection(180_000, 180_001)).toBe(true)
    expect(isDurationCorrection(180_000, 180_000)).toBe(false)
    expect(isDurationCorrection(0, 1_000)).toBe(true)
  })

  it('are not corrected by invalid values', () => {
    for (const reported of [0, -5, Number.NaN, Infinity]) {
      expect(isDurationCorrection(200_000, reported)).toBe(false)
    }
  })
})

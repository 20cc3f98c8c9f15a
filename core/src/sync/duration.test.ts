import { describe, expect, it } from 'vitest'
import { isDurationCorrection, knownDurationMs, toDurationFields } from './duration.ts'

describe('durations', () => {
  it('9.15 180000 ms means unknown, except for a measured file', () => {
    expect(knownDurationMs({ duration: 180_000, source: 'youtube' })).toBeNull()
    expect(knownDurationMs({ duration: 180_000, source: 'spotify' })).toBeNull()
    expect(knownDurationMs({ duration: 180_000, source: 'library' })).toBe(180_000)
    expect(knownDurationMs({ duration: 200_000, source: 'youtube' })).toBe(200_000)
    expect(knownDurationMs(null)).toBeNull()
  })

  it('10.12a the wire tells a track of exactly 180000 ms from one of unknown duration, of every source', () => {
    for (const source of ['library', 'youtube', 'spotify'] as const) {
      for (const durationMs of [null, 1, 179_999, 180_000, 180_001]) {
        const sent: unknown = JSON.parse(JSON.stringify({ source, ...toDurationFields(durationMs) }))
        expect(knownDurationMs(sent as Parameters<typeof knownDurationMs>[0])).toBe(durationMs)
      }
    }
    expect(toDurationFields(null)).toEqual({ duration: 180_000, duration_unknown: true })
    expect(toDurationFields(200_000)).toEqual({ duration: 200_000 })
  })

  it('4.21a, 9.15 are corrected if they differ by more than 5 s, or were unknown', () => {
    expect(isDurationCorrection(200_000, 205_000)).toBe(false)
    expect(isDurationCorrection(200_000, 205_001)).toBe(true)
    expect(isDurationCorrection(200_000, 194_999)).toBe(true)
    expect(isDurationCorrection(null, 1_000)).toBe(true)
    expect(isDurationCorrection(null, 180_000)).toBe(true)
  })

  it('10.12a a measured duration of 180000 ms is corrected like any other', () => {
    expect(isDurationCorrection(180_000, 180_001)).toBe(false)
    expect(isDurationCorrection(180_000, 185_001)).toBe(true)
  })

  it('are not corrected by invalid values', () => {
    for (const reported of [0, -5, Number.NaN, Infinity]) {
      expect(isDurationCorrection(200_000, reported)).toBe(false)
      expect(isDurationCorrection(null, reported)).toBe(false)
    }
  })
})

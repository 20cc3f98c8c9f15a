import { describe, expect, it } from 'vitest'
import { examinedReading, findUnderrun } from './output-shift.ts'

/** Readings every 20 ms, each behind an undisturbed output by the given ms. */
const readingsBehind = (...behindMs: number[]) =>
  behindMs.map((behind, index) => ({
    contextMs: index * 20,
    wallMs: index * 20 + 5_000 + behind,
    renderOffsetMs: 0,
  }))

describe('findUnderrun', () => {
  it('waits until two more readings confirm it', () => {
    expect(findUnderrun(readingsBehind(0, 0, 0, 9), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 0, 9, 9), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 0, 9, 9, 9), 0.8)).toBeCloseTo(9)
  })

  it('reports it once, at the reading that shows it', () => {
    const all = readingsBehind(0, 0.1, 9.1, 9.2, 9)
    expect(findUnderrun(all, 0.8)).toBeCloseTo(9)
    expect(examinedReading(all)).toBe(all[2])
    expect(findUnderrun([...all, ...readingsBehind(0, 0, 0, 0, 0, 9.1).slice(5)], 0.8)).toBe(0)
  })

  it('ignores an outlier that is corrected at once', () => {
    expect(findUnderrun(readingsBehind(0, 0, 9, 9, 0), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 9, 0, 0), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, -9, 0, 0, 0), 0.8)).toBe(0)
  })

  it('ignores drift, and an output that gets ahead', () => {
    expect(findUnderrun(readingsBehind(0, 0.3, 0.6, 0.9, 1.2), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, -9, -9, -9), 0.8)).toBe(0)
  })

  it('17.433 after steady readings finds a small shift in a gap between readings, but not a drift', () => {
    const late = (...behindMs: number[]) =>
      readingsBehind(0, 0, ...behindMs).map((reading, index) => ({
        ...reading,
        contextMs: reading.contextMs + (index < 2 ? 0 : 340),
        wallMs: reading.wallMs + (index < 2 ? 0 : 340),
      }))
    const shifted = late(2.8, 2.7, 2.8)
    expect(findUnderrun(shifted, 0.8)).toBe(0)
    expect(findUnderrun(shifted, 0.8, true)).toBeCloseTo(2.8)
    expect(findUnderrun(late(2.8, 2.95, 3.1), 0.8, true)).toBe(0)
  })

  it('needs a larger shift if readings are far apart or jitter', () => {
    const sparse = readingsBehind(0, 0, 2, 2, 2).map((reading, index) => ({
      ...reading,
      contextMs: reading.contextMs + index * 80,
      wallMs: reading.wallMs + index * 80,
    }))
    expect(findUnderrun(sparse, 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 20, 20, 20), 40)).toBe(0)
  })
})

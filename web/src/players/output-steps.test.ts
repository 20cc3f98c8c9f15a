import { describe, expect, it } from 'vitest'
import { findStep, judged } from './output-steps.ts'

/** Readings every 20 ms, so far behind an output without steps. */
const readings = (...behindMs: number[]) =>
  behindMs.map((behind, index) => ({ contextMs: index * 20, wallMs: index * 20 + 5_000 + behind }))

describe('finding a step of the output', () => {
  it('waits until two more readings bear it out', () => {
    expect(findStep(readings(0, 0, 0, 9), 0.8)).toBe(0)
    expect(findStep(readings(0, 0, 0, 9, 9), 0.8)).toBe(0)
    expect(findStep(readings(0, 0, 0, 9, 9, 9), 0.8)).toBeCloseTo(9)
  })

  it('tells it once, at the reading that shows it', () => {
    const all = readings(0, 0.1, 9.1, 9.2, 9)
    expect(findStep(all, 0.8)).toBeCloseTo(9)
    expect(judged(all)).toBe(all[2])
    expect(findStep([...all, ...readings(0, 0, 0, 0, 0, 9.1).slice(5)], 0.8)).toBe(0)
  })

  it('takes a slip that is put right at once for none', () => {
    expect(findStep(readings(0, 0, 9, 9, 0), 0.8)).toBe(0)
    expect(findStep(readings(0, 0, 9, 0, 0), 0.8)).toBe(0)
    expect(findStep(readings(0, -9, 0, 0, 0), 0.8)).toBe(0)
  })

  it('takes wandering for none, and what gets ahead', () => {
    expect(findStep(readings(0, 0.3, 0.6, 0.9, 1.2), 0.8)).toBe(0)
    expect(findStep(readings(0, 0, -9, -9, -9), 0.8)).toBe(0)
  })

  it('needs a larger one where readings are far apart or jitter', () => {
    const sparse = readings(0, 0, 2, 2, 2).map((reading, index) => ({
      contextMs: reading.contextMs + index * 80,
      wallMs: reading.wallMs + index * 80,
    }))
    expect(findStep(sparse, 0.8)).toBe(0)
    expect(findStep(readings(0, 0, 20, 20, 20), 40)).toBe(0)
  })
})

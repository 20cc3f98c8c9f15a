import { describe, expect, it } from 'vitest'
import { summarise } from './statistics.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('summarise', () => {
  it('reads the percentiles of a hundred samples off their ranks', () => {
    expect(summarise(upTo(100))).toEqual({ count: 100, mean: 50.5, p50: 50, p95: 95, p99: 99, max: 100 })
  })

  it('sorts by number, not by text, and leaves the samples alone', () => {
    const samples = [100, 9, 20]
    expect(summarise(samples)).toMatchObject({ p50: 20, max: 100 })
    expect(samples).toEqual([100, 9, 20])
  })

  it('gives the worst of a few samples as their p95 and p99', () => {
    expect(summarise(upTo(10))).toMatchObject({ p50: 5, p95: 10, p99: 10, max: 10 })
  })

  it('summarises one sample as itself', () => {
    expect(summarise([7])).toEqual({ count: 1, mean: 7, p50: 7, p95: 7, p99: 7, max: 7 })
  })

  it('refuses to make a figure of nothing', () => {
    expect(() => summarise([])).toThrow(RangeError)
  })
})

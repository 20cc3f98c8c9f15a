import { describe, expect, it } from 'vitest'
import { median, percentile } from './statistics.ts'

describe('percentile', () => {
  it('returns the value at the nearest rank, in any order', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(percentile(values, 0.5)).toBe(50)
    expect(percentile(values, 0.95)).toBe(95)
    expect(percentile([7], 0.95)).toBe(7)
    expect(percentile([1, 2, 3, 4], 0)).toBe(1)
    expect([0.25, 0.26, 0.5, 0.75, 0.76, 1].map((share) => percentile([4, 2, 3, 1], share))).toEqual([
      1, 2, 2, 3, 4, 4,
    ])
  })

  it('returns null without values', () => expect(percentile([], 0.5)).toBeNull())
})

describe('median', () => {
  it('returns the middle value, the upper one of two', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1])).toBe(4)
    expect(median([])).toBe(0)
  })
})

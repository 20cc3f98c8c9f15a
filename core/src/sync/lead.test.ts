import { describe, expect, it } from 'vitest'
import { leadMs, percentile95 } from './lead.ts'

describe('the lead of a scheduled start', () => {
  it('4.11a is 1.5 times the 95th percentile of the round trips plus the start cost', () => {
    expect(leadMs([40, 40, 200], 'library')).toBe(1.5 * 200 + 100)
    expect(leadMs([200], 'youtube')).toBe(1.5 * 200 + 300)
    expect(leadMs([200], 'spotify')).toBe(1.5 * 200 + 500)
  })

  it('4.11a is at least 120 ms and at most 3 s', () => {
    expect(leadMs([], 'library')).toBe(120)
    expect(leadMs([1], 'library')).toBe(120)
    expect(leadMs([5_000], 'library')).toBe(3_000)
  })

  it('is not held up by the slowest listener among many', () => {
    const roundTrips = [...Array.from({ length: 39 }, () => 30), 2_500]
    expect(percentile95(roundTrips)).toBe(30)
  })
})

import { describe, expect, it } from 'vitest'
import { type Audience, leadMs } from './lead.ts'

const audience = (...roundTripsMs: number[]): Audience => ({ roundTripsMs, hasElement: false })

describe('the lead of a scheduled start', () => {
  it('4.11a is 1.5 times the 95th percentile of the round trips plus the start cost', () => {
    for (const roundTrips of [
      [40, 40, 200],
      [200, 40, 41],
      [40, 200, 39],
    ]) {
      expect(leadMs(audience(...roundTrips), 'library')).toBe(1.5 * 200 + 100)
    }
    expect(leadMs(audience(200), null)).toBe(1.5 * 200 + 100)
    expect(leadMs(audience(200), 'youtube')).toBe(1.5 * 200 + 300)
    expect(leadMs(audience(200), 'spotify')).toBe(1.5 * 200 + 500)
  })

  it('4.11a includes the start cost of an audio element if a member uses one', () => {
    const mixed = { ...audience(200), hasElement: true }
    expect(leadMs(mixed, 'library')).toBe(1.5 * 200 + 200)
    expect(leadMs(mixed, 'youtube')).toBe(1.5 * 200 + 300)
  })

  it('4.11a is at least 120 ms and at most 3 s', () => {
    expect(leadMs(audience(), 'library')).toBe(120)
    expect(leadMs(audience(1), 'library')).toBe(120)
    expect(leadMs(audience(5_000), 'library')).toBe(3_000)
  })

  it('ignores the slowest listener among many', () => {
    const roundTrips = [...Array.from({ length: 39 }, () => 30), 2_500]
    expect(leadMs(audience(...roundTrips), 'library')).toBe(1.5 * 30 + 100)
  })
})

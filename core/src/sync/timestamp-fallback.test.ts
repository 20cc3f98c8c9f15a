import { expect, it } from 'vitest'
import { estimatePosition } from './timestamp-fallback.ts'

it('4.19b, 9.13 adds the time that passed and 100 ms, where it is between 0 and 10 s', () => {
  expect(estimatePosition(30_000, 1_000_000, 1_002_500)).toBe(32_600)
  expect(estimatePosition(30_000, 1_000_000, 1_000_000)).toBe(30_100)
  expect(estimatePosition(30_000, 1_000_000, 1_010_000)).toBe(40_100)
})

it('4.19b, 9.13 takes the position as it was sent, where the clocks cannot be compared', () => {
  expect(estimatePosition(30_000, 1_000_000, 999_999)).toBe(30_000)
  expect(estimatePosition(30_000, 1_000_000, 1_010_001)).toBe(30_000)
})

import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { expect, it } from 'vitest'
import { arcDegrees, areAligned, placeFaces } from './ring-layout.ts'

const sync = (part: Partial<ListenerSync>): ListenerSync => ({ errorMs: 0, cause: 'in_sync', ...part })

it('17.37 twelve faces are on two sides of the cover, none over another', () => {
  const places = placeFaces(12)
  for (const side of [-1, 1]) {
    const rows = places.filter((place) => place.side === side).map(({ row }) => row)
    expect(rows).toEqual([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])
  }
  expect(placeFaces(3)).toEqual([
    { side: -1, row: -0.5 },
    { side: 1, row: 0 },
    { side: -1, row: 0.5 },
  ])
  expect(placeFaces(1)).toEqual([{ side: -1, row: 0 }])
  expect(placeFaces(0)).toEqual([])
})

it('17.37 an arc is turned by the measured offset, and there is none without a figure', () => {
  expect(arcDegrees(sync({}))).toBe(0)
  expect(arcDegrees(sync({ errorMs: 12.4 }))).toBe(24)
  expect(arcDegrees(sync({ errorMs: -5_000, cause: 'correcting' }))).toBe(-120)
  expect(arcDegrees(sync({ errorMs: null }))).toBeNull()
  expect(arcDegrees(sync({ errorMs: 3, cause: 'paused' }))).toBeNull()
  expect(arcDegrees(undefined)).toBeNull()
})

it('17.37 people are aligned when all who report are in sync, and they are at least two', () => {
  expect(areAligned([sync({}), sync({}), undefined])).toBe(true)
  expect(areAligned([sync({}), sync({ cause: 'buffering' })])).toBe(false)
  expect(areAligned([sync({}), undefined])).toBe(false)
})

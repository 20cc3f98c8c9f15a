import { expect, it } from 'vitest'
import { isSlowToCatchUp } from './buffer-queue.ts'

const openingS = 2

it.each([
  { caughtUpS: 6, why: 'catches up faster than the track opens', isSlow: false },
  { caughtUpS: 4, why: 'catches up slower than that', isSlow: true },
  { caughtUpS: 0, why: 'stays as late as it was', isSlow: true },
  { caughtUpS: -1, why: 'falls further behind', isSlow: true },
])('17.280 a run that $why is judged so after a second', ({ caughtUpS, isSlow }) => {
  const first = { atS: 100, lateS: 15 }
  const last = { atS: 101, lateS: 15 - caughtUpS }
  expect(isSlowToCatchUp(first, last, openingS)).toBe(isSlow)
  expect(isSlowToCatchUp(first, { ...last, atS: 100.9 }, openingS)).toBe(false)
})

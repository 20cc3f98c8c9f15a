import { expect, it } from 'vitest'
import { isJumpWorthwhile, isSlowToCatchUp } from './buffer-queue.ts'

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

it('17.432 a shift of the output is a jump from 2 ms on, in the first 2 s of a sound from 0.5 ms on', () => {
  expect([0.4, 0.5, 1.9].map((shiftMs) => isJumpWorthwhile(shiftMs, 1_900))).toEqual([false, true, true])
  expect([0.5, 1.9, 2, 300].map((shiftMs) => isJumpWorthwhile(shiftMs, 2_000))).toEqual([
    false,
    false,
    true,
    true,
  ])
  // The player loop decides about more.
  expect(isJumpWorthwhile(2_000, 10_000)).toBe(false)
})

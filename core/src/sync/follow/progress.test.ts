import { expect, it } from 'vitest'
import type { Progress } from './follow-state.ts'
import { isAdvancing, updateProgress } from './progress.ts'

const watch = (positions: readonly number[], everyMs = 250): Progress =>
  positions.reduce<Progress | null>(
    (progress, positionMs, index) =>
      updateProgress(progress, { positionMs, atClientMs: index * everyMs, status: 'playing' }),
    null,
  )!

it('a player that moves is not stalled', () => {
  expect(watch(Array.from({ length: 40 }, (_, index) => index * 250)).isStalled).toBe(false)
})

it('a player that plays over 2 s and moves under 0.5 s is stalled', () => {
  expect(watch(Array.from({ length: 9 }, () => 7_000)).isStalled).toBe(false)
  expect(watch(Array.from({ length: 10 }, () => 7_000)).isStalled).toBe(true)
  expect(watch(Array.from({ length: 10 }, (_, index) => 7_000 + index * 50)).isStalled).toBe(true)
})

it('a stalled player is stalled until it has moved again', () => {
  const stalled = Array.from({ length: 12 }, () => 7_000)
  expect(watch([...stalled, 7_250]).isStalled).toBe(true)
  expect(watch([...stalled, 7_250, 7_500]).isStalled).toBe(false)
})

it('a player that covered less than 40 % of the time stood still for part of it', () => {
  const before = { positionMs: 7_000, atClientMs: 1_000, status: 'playing' } as const
  const after = (movedMs: number) =>
    ({ positionMs: 7_000 + movedMs, atClientMs: 1_250, status: 'playing' }) as const
  expect(isAdvancing(before, after(99))).toBe(false)
  expect(isAdvancing(before, after(100))).toBe(true)
  expect(isAdvancing(null, after(0))).toBe(true)
  expect(isAdvancing({ ...before, status: 'paused' }, after(0))).toBe(true)
})

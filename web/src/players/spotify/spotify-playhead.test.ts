import { expect, it } from 'vitest'
import { addReading, isTrusted, playheadAt, spreadMs, type Playhead } from './spotify-playhead.ts'

const follow = (...readings: [positionMs: number, atClientMs: number, isRunning?: boolean][]): Playhead =>
  readings.reduce<Playhead | null>(
    (head, [positionMs, atClientMs, isRunning = true]) =>
      addReading(head, { positionMs, atClientMs, isRunning }),
    null,
  ) as Playhead

it('15.24 one reading proves nothing: two that agree are trusted', () => {
  expect(isTrusted(follow([1_000, 5_000]))).toBe(false)
  expect(isTrusted(follow([1_000, 5_000], [1_510, 5_500]))).toBe(true)
})

it('15.24 readings while it loads are not trusted, however well they agree', () => {
  const head = follow([1_000, 5_000, false], [1_500, 5_500, false])
  expect(isTrusted(head)).toBe(false)
  expect(playheadAt(head, 9_000)).toBe(1_500)
})

it('15.24 a position that jumps when the sound begins has to agree again', () => {
  const jumped = follow([1_000, 5_000], [1_500, 5_500], [1_200, 6_000])
  expect(isTrusted(jumped)).toBe(false)
  expect(playheadAt(jumped, 6_100)).toBe(1_300)
})

it('averages the readings and states how far they are apart', () => {
  const head = follow([1_000, 5_000], [1_540, 5_500], [2_020, 6_000])
  expect(playheadAt(head, 7_000)).toBeCloseTo(3_020)
  expect(spreadMs(head)).toBe(40)
  expect(spreadMs(follow([1, 2, false]))).toBe(0)
})

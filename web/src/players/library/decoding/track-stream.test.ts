import { expect, it } from 'vitest'
import { servesStart } from './track-stream.ts'

it('17.431 a start that is up to 0.5 s late begins with what was decoded for it, an early or later one does not', () => {
  const primedFrame = 480_000
  const afterMs = (ms: number) => servesStart(primedFrame, primedFrame + ms * 48, 48_000)
  expect([0, 40, 500].map(afterMs)).toEqual([true, true, true])
  expect([-1, 501, 30_000].map(afterMs)).toEqual([false, false, false])
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurnSpread } from './turn-spread.ts'

it('16.299 lets so many go on in each turn of the event loop, in order', async () => {
  const waitForTurn = createTurnSpread(10)
  const numbers = Array.from({ length: 25 }, (_, index) => index)
  const started: number[] = []
  const counts: number[] = []
  const all = numbers.map(async (number) => {
    await waitForTurn()
    started.push(number)
  })
  await all[9]
  for (let turn = 0; turn < 3; turn += 1) {
    counts.push(started.length)
    await nextTurn()
  }
  expect(counts).toEqual([10, 20, 25])
  expect(started).toEqual(numbers)
  await Promise.all(numbers.slice(0, 10).map(waitForTurn))
})

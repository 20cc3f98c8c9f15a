import { expect, it } from 'vitest'
import { chooseRuns } from './runs.ts'

const packetsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ duration: 20, parts: [[at, 1] as [number, number]] }))
const runsOf = (count: number) => [
  ...chooseRuns(packetsOf(count), { timescale: 1_000, durationS: count / 50 }),
]

it('17.77 a short track is decoded as a whole, in parts', () => {
  const runs = runsOf(1_500)
  expect(runs.flatMap((run) => run.packets)).toHaveLength(1_500)
  expect(runs[1]).toMatchObject({ startS: expect.closeTo(1.28), isContinued: true })
})

it('17.77 of a long track at most about a minute is decoded, however long it is', () => {
  for (const hours of [0.5, 2]) {
    const runs = runsOf(hours * 3_600 * 50)
    const decodedS = runs.reduce((sum, run) => sum + run.packets.length / 50, 0)
    expect(runs).toHaveLength(400)
    expect(decodedS).toBeGreaterThan(50)
    expect(decodedS).toBeLessThan(70)
    expect(runs.every((run) => !run.isContinued)).toBe(true)
  }
})

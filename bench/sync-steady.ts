import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { hearAll } from './listening/all-pairs.ts'
import { play } from './listening/controls.ts'
import { recordedMs } from './sound/command-cycles.ts'
import { openGathering } from './sound/test-room.ts'
import { allPairs, countTorn, note, skewFigures, summariseSkews, type Tally } from './sound/skew-figures.ts'
import type { Figure, Measurement } from './measurement.ts'

const minutes = 10
const minuteMs = 60_000
const everyMs = 12_000
const goalMs = 2

/** How far apart three people are who only listen, for as long as clocks need to drift apart. */
export const syncSteady: Measurement = {
  name: 'sync-steady',
  title: `Skew between what three browsers sound in ${minutes} minutes that nobody disturbs`,
  yardstick: null,
  isLong: true,
  measure: (say) =>
    withDefer(async (defer) => {
      const gathering = await openGathering(defer, {
        tracks: [{ title: 'Noise', seconds: (minutes + 2) * 60 }],
        seats: () => [{}, {}, {}],
      })
      say('all are in the room')
      await play(gathering)
      const tally: Tally = new Map()
      const startedAt = performance.now()
      for (let recording = 1; recording * everyMs <= minutes * minuteMs; recording += 1) {
        await delay(startedAt + recording * everyMs - recordedMs - performance.now())
        const minute = Math.ceil((recording * everyMs) / minuteMs)
        note(tally, `minute ${minute}`, await hearAll(gathering, recordedMs), say)
      }
      return toFigures(tally)
    }),
}

function toFigures(tally: Tally): Figure[] {
  const pairs = allPairs(tally)
  const medianOf = (minute: number): Figure => ({
    name: `in minute ${minute}, p50`,
    unit: 'ms',
    value: summariseSkews(tally.get(`minute ${minute}`) ?? []).p50,
  })
  return [
    ...skewFigures('skew', summariseSkews(pairs), { goal: goalMs }),
    ...[1, minutes / 2, minutes].map(medianOf),
    { name: `torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
  ]
}

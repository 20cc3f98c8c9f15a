import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import type { HeardPair } from './listening/all-pairs.ts'
import { play } from './listening/controls.ts'
import { runCycles, settleMs } from './sound/command-cycles.ts'
import { measureFloors } from './sound/best-case.ts'
import { openGathering } from './sound/test-room.ts'
import { inSyncMs, joinFigures, timeJoins, type Joins } from './sound/late-join.ts'
import {
  allPairs,
  countTorn,
  shareApart,
  skewFigures,
  summariseSkews,
  type Tally,
} from './sound/skew-figures.ts'
import type { Figure, Measurement } from './measurement.ts'

const cycles = 6
const floors = 5
const joinsEach = 3
const goals = { p95Ms: 2, joinMs: 1_500 }

const tracks = Array.from({ length: cycles + 1 }, (_, index) => ({
  title: `Noise ${index + 1}`,
  seconds: index === cycles ? 200 : 60,
}))

/** How far apart three people hear the same moment of a track, by what their browsers really sounded. */
export const sync: Measurement = {
  name: 'sync',
  title: `Skew between what three browsers sound, ${cycles} times a start, a seek and a change of track`,
  yardstick: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  measure: (say) =>
    withDefer(async (defer) => {
      const gathering = await openGathering(defer, { tracks, seats: () => [{}, {}, {}] })
      say('all are in the room')
      const titles = tracks.slice(1).map(({ title }) => title)
      const tally = await runCycles(gathering, titles, say)
      await play(gathering)
      await delay(settleMs)
      const joins = await timeJoins(gathering, joinsEach, say)
      return toFigures(tally, joins, await measureFloors(gathering, floors, say))
    }),
}

function toFigures(tally: Tally, joins: Joins, floor: HeardPair[]): Figure[] {
  const pairs = allPairs(tally)
  return [
    ...skewFigures('skew', summariseSkews(pairs), { floor: summariseSkews(floor), goal: goals.p95Ms }),
    ...[...tally].map(([occasion, heard]): Figure => {
      return { name: `${occasion}, p95`, unit: 'ms', value: summariseSkews(heard).p95 }
    }),
    {
      name: `time more than ${inSyncMs} ms apart`,
      unit: '%',
      value: shareApart(pairs, inSyncMs),
      yardstick: shareApart(floor, inSyncMs),
    },
    {
      name: `torn, not compared, of ${pairs.length}`,
      unit: '',
      value: countTorn(pairs),
      yardstick: countTorn(floor),
    },
    ...joinFigures('late joiner', joins, goals.joinMs),
  ]
}

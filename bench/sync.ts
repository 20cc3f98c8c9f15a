import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import type { PairSkew } from './sound/recording.ts'
import { play, runCycles, settleMs } from './sound/command-cycles.ts'
import { measureBestCase } from './sound/best-case.ts'
import { openTestRoom } from './sound/test-room.ts'
import { inSyncMs, joinFigures, timeJoins, type Joins } from './sound/late-join.ts'
import {
  allPairs,
  countTorn,
  shareApart,
  skewFigures,
  summariseSkews,
  type SkewsByCondition,
} from './sound/skew-figures.ts'
import type { Figure, Measurement } from './measurement.ts'

const cycles = 6
const bestCaseRuns = 5
const joinsEach = 3
const goals = { p95Ms: 2, joinMs: 1_500 }

const tracks = Array.from({ length: cycles + 1 }, (_, index) => ({
  title: `Noise ${index + 1}`,
  seconds: index === cycles ? 200 : 60,
}))

/** Measures the skew of a track in the recorded sound of three browsers. */
export const sync: Measurement = {
  name: 'sync',
  title: `Skew between what three browsers sound, ${cycles} times a start, a seek and a change of track`,
  baseline: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  measure: (log) =>
    withDefer(async (defer) => {
      const testRoom = await openTestRoom(defer, { tracks, setups: () => [{}, {}, {}] })
      log('all are in the room')
      const titles = tracks.slice(1).map(({ title }) => title)
      const skews = await runCycles(testRoom, titles, log)
      await play(testRoom)
      await delay(settleMs)
      const joins = await timeJoins(testRoom, joinsEach, log)
      return toFigures(skews, joins, await measureBestCase(testRoom, bestCaseRuns, log))
    }),
}

function toFigures(skews: SkewsByCondition, joins: Joins, bestCase: PairSkew[]): Figure[] {
  const pairs = allPairs(skews)
  return [
    ...skewFigures('skew', summariseSkews(pairs), { bestCase: summariseSkews(bestCase), goal: goals.p95Ms }),
    ...[...skews].map(([condition, heard]): Figure => {
      return { name: `${condition}, p95`, unit: 'ms', value: summariseSkews(heard).p95 }
    }),
    {
      name: `time more than ${inSyncMs} ms apart`,
      unit: '%',
      value: shareApart(pairs, inSyncMs),
      baseline: shareApart(bestCase, inSyncMs),
    },
    {
      name: `torn, not compared, of ${pairs.length}`,
      unit: '',
      value: countTorn(pairs),
      baseline: countTorn(bestCase),
    },
    ...joinFigures('late joiner', joins, goals.joinMs),
  ]
}

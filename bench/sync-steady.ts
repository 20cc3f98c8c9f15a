import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { recordPairs } from './sound/recording.ts'
import { play, recordedMs } from './sound/command-cycles.ts'
import { openTestRoom } from './sound/test-room.ts'
import {
  allPairs,
  countTorn,
  addSkews,
  skewFigures,
  summariseSkews,
  type SkewsByCondition,
} from './sound/skew-figures.ts'
import type { Figure, Measurement } from './measurement.ts'

const minutes = 10
const minuteMs = 60_000
const everyMs = 12_000
const goalMs = 2

/** Measures the skew of three browsers in steady playback, for as long as clocks need to drift apart. */
export const syncSteady: Measurement = {
  name: 'sync-steady',
  title: `Skew between what three browsers sound in ${minutes} minutes that nobody disturbs`,
  baseline: null,
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const testRoom = await openTestRoom(defer, {
        tracks: [{ title: 'Noise', seconds: (minutes + 2) * 60 }],
        setups: () => [{}, {}, {}],
      })
      log('all are in the room')
      await play(testRoom)
      const skews: SkewsByCondition = new Map()
      const startedAt = performance.now()
      for (let recording = 1; recording * everyMs <= minutes * minuteMs; recording += 1) {
        await delay(startedAt + recording * everyMs - recordedMs - performance.now())
        const minute = Math.ceil((recording * everyMs) / minuteMs)
        addSkews(skews, `minute ${minute}`, await recordPairs(testRoom, recordedMs), log)
      }
      return toFigures(skews)
    }),
}

function toFigures(skews: SkewsByCondition): Figure[] {
  const pairs = allPairs(skews)
  const medianOf = (minute: number): Figure => ({
    name: `in minute ${minute}, p50`,
    unit: 'ms',
    value: summariseSkews(skews.get(`minute ${minute}`) ?? []).p50,
  })
  return [
    ...skewFigures('skew', summariseSkews(pairs), { goal: goalMs }),
    ...[1, minutes / 2, minutes].map(medianOf),
    { name: `torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
  ]
}

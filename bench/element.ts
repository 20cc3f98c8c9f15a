import { homeName, plainHttpBrowser, secureBrowser } from '@earshot/e2e/plain-http'
import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { recordPairs, type PairSkew } from './sound/recording.ts'
import { play, runCycles } from './sound/command-cycles.ts'
import { measureBestCase } from './sound/best-case.ts'
import { openTestRoom, type TestRoom } from './sound/test-room.ts'
import {
  allPairs,
  countTorn,
  addSkews,
  skewFigures,
  summariseSkews,
  type SkewsByCondition,
} from './sound/skew-figures.ts'
import type { Figure, Measurement, Log } from './measurement.ts'

const cycles = 4
const settleMs = 5_000
const steadyMs = 60_000
const steadyRecordings = 4
const recordedMs = 2_500
const bestCaseRuns = 4
const goalMs = 5

const tracks = Array.from({ length: cycles + 1 }, (_, index) => ({
  title: `Noise ${index + 1}`,
  seconds: index === cycles ? 200 : 60,
}))
/** The last browser schedules samples; the others have only an audio element. */
const scheduledPlace = 2

/** Measures the skew between browsers that have only an audio element, as over plain http. */
export const element: Measurement = {
  name: 'element',
  title: `Skew of audio elements ${settleMs / 1_000} s after a start, a seek and a change of track, ${cycles} times each`,
  baseline: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const testRoom = await openTestRoom(defer, {
        tracks,
        setups: (app) => [
          { browser: plainHttpBrowser },
          { browser: plainHttpBrowser },
          { browser: secureBrowser(app) },
        ],
        app: { name: homeName },
      })
      await checkPlayers(testRoom)
      log('all are in the room: two with an element, one who schedules')
      const titles = tracks.slice(1).map(({ title }) => title)
      const settled = allPairs(await runCycles(testRoom, titles, log, settleMs))
      const steady = await hearSteady(testRoom, log)
      return toFigures(settled, steady, await measureBestCase(testRoom, bestCaseRuns, log))
    }),
}

/** @throws Error where a browser would not use the player that it is here for */
async function checkPlayers({ owner, listeners }: TestRoom): Promise<void> {
  for (const [place, { page }] of [owner, ...listeners].entries()) {
    const canDecode = await page.evaluate(() => 'AudioDecoder' in globalThis)
    if (canDecode !== (place === scheduledPlace)) throw new Error(`Browser ${place} has the wrong player`)
  }
}

async function hearSteady(testRoom: TestRoom, log: Log): Promise<PairSkew[]> {
  await play(testRoom)
  log(`playing on for ${steadyMs / 1_000} s`)
  await delay(steadyMs)
  const skews: SkewsByCondition = new Map()
  for (let recording = 0; recording < steadyRecordings; recording += 1) {
    addSkews(skews, `after ${steadyMs / 1_000} s`, await recordPairs(testRoom, recordedMs), log)
  }
  return allPairs(skews)
}

const isBetweenElements = ({ between }: PairSkew) => !between.includes(scheduledPlace)

function toFigures(settled: PairSkew[], steady: PairSkew[], bestCase: PairSkew[]): Figure[] {
  const figuresOf = (name: string, of: PairSkew[]) =>
    skewFigures(name, summariseSkews(of), { bestCase: summariseSkews(bestCase), goal: goalMs })
  return [
    ...figuresOf('between two elements', settled.filter(isBetweenElements)),
    ...figuresOf(
      'element and scheduled',
      settled.filter((pair) => !isBetweenElements(pair)),
    ),
    ...figuresOf(`after ${steadyMs / 1_000} s`, steady),
    {
      name: `torn, not compared, of ${settled.length + steady.length}`,
      unit: '',
      value: countTorn([...settled, ...steady]),
      baseline: countTorn(bestCase),
    },
  ]
}

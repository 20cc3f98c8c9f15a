import { homeName, plainHttpBrowser, secureBrowser } from '@earshot/e2e/plain-http'
import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { hearAll, type HeardPair } from './listening/all-pairs.ts'
import { play } from './listening/controls.ts'
import { runCycles } from './sound/command-cycles.ts'
import { measureFloors } from './sound/best-case.ts'
import { openGathering, type Gathering } from './sound/test-room.ts'
import { allPairs, countTorn, note, skewFigures, summariseSkews, type Tally } from './sound/skew-figures.ts'
import type { Figure, Measurement } from './measurement.ts'

const cycles = 4
const settleMs = 5_000
const steadyMs = 60_000
const steadyRecordings = 4
const recordedMs = 2_500
const floors = 4
const goalMs = 5

const tracks = Array.from({ length: cycles + 1 }, (_, index) => ({
  title: `Noise ${index + 1}`,
  seconds: index === cycles ? 200 : 60,
}))
/** The last place is taken by somebody whose browser schedules; the others have an audio element only. */
const scheduledPlace = 2

/** How far apart people hear the same moment whose browsers, over plain http, have only an audio element. */
export const element: Measurement = {
  name: 'element',
  title: `Skew of audio elements ${settleMs / 1_000} s after a start, a seek and a change of track, ${cycles} times each`,
  yardstick: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  isLong: true,
  measure: (say) =>
    withDefer(async (defer) => {
      const gathering = await openGathering(defer, {
        tracks,
        seats: (app) => [
          { browser: plainHttpBrowser },
          { browser: plainHttpBrowser },
          { browser: secureBrowser(app) },
        ],
        app: { name: homeName },
      })
      await checkPlayers(gathering)
      say('all are in the room: two with an element, one who schedules')
      const titles = tracks.slice(1).map(({ title }) => title)
      const settled = allPairs(await runCycles(gathering, titles, say, settleMs))
      const steady = await hearSteady(gathering, say)
      return toFigures(settled, steady, await measureFloors(gathering, floors, say))
    }),
}

/** @throws Error where a browser would not use the player that it is here for */
async function checkPlayers({ owner, listeners }: Gathering): Promise<void> {
  for (const [place, { page }] of [owner, ...listeners].entries()) {
    const canDecode = await page.evaluate(() => 'AudioDecoder' in globalThis)
    if (canDecode !== (place === scheduledPlace)) throw new Error(`Browser ${place} has the wrong player`)
  }
}

async function hearSteady(gathering: Gathering, say: (line: string) => void): Promise<HeardPair[]> {
  await play(gathering)
  say(`playing on for ${steadyMs / 1_000} s`)
  await delay(steadyMs)
  const tally: Tally = new Map()
  for (let recording = 0; recording < steadyRecordings; recording += 1) {
    note(tally, `after ${steadyMs / 1_000} s`, await hearAll(gathering, recordedMs), say)
  }
  return allPairs(tally)
}

const isBetweenElements = ({ between }: HeardPair) => !between.includes(scheduledPlace)

function toFigures(settled: HeardPair[], steady: HeardPair[], floor: HeardPair[]): Figure[] {
  const figuresOf = (name: string, of: HeardPair[]) =>
    skewFigures(name, summariseSkews(of), { floor: summariseSkews(floor), goal: goalMs })
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
      yardstick: countTorn(floor),
    },
  ]
}

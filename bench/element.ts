import { homeName, plainHttpBrowser, secureBrowser } from '@earshot/e2e/support/plain-http'
import type { Defer } from './defer.ts'
import type { Measurement } from './measurement.ts'
import { recordBestCase } from './sound/best-case.ts'
import { defaultRuns, recordScenario } from './sound/scenario.ts'
import { sessionFigures } from './sound/session-figures.ts'
import type { PairSkew } from '@earshot/e2e/sound/skew/session-windows'
import { openTestRoom, type TestRoom } from './sound/test-room.ts'
import { playEverything, tracks } from './sound/transitions.ts'

const goals = { p95Ms: 5 }
/** The last browser schedules samples; the others have only an audio element. */
const scheduledPlace = 2
const isBetweenElements = ({ between }: PairSkew) => !between.includes(scheduledPlace)

/** Measures the skew between browsers that have only an audio element, as over plain http, and one that schedules. */
export const element: Measurement = {
  name: 'element',
  title: 'Skew in the recorded sound of two browsers with an audio element and one that schedules samples',
  baseline: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  isLong: true,
  measure: async (log, { runs }) => {
    const sessions = await recordScenario(
      { name: 'elements', open: openWithElements, script: playEverything },
      runs ?? defaultRuns,
      log,
    )
    const bestCase = await recordBestCase(openWithElements)
    return [
      ...sessionFigures(sessions, { name: 'two elements', goals, bestCase, isJudged: isBetweenElements }),
      ...sessionFigures(sessions, {
        name: 'element and scheduled',
        goals,
        bestCase,
        isJudged: (pair) => !isBetweenElements(pair),
      }),
    ]
  },
}

async function openWithElements(defer: Defer): Promise<TestRoom> {
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
  return testRoom
}

/** @throws Error where a browser would not use the player that it is here for */
async function checkPlayers({ owner, listeners }: TestRoom): Promise<void> {
  for (const [place, { page }] of [owner, ...listeners].entries()) {
    const canDecode = await page.evaluate(() => 'AudioDecoder' in globalThis)
    if (canDecode !== (place === scheduledPlace)) throw new Error(`Browser ${place} has the wrong player`)
  }
}

import type { Defer } from '../defer.ts'
import type { Measurement } from '../measurement.ts'
import { recordBestCase } from '../sound/best-case.ts'
import { defaultRuns, recordScenario } from '../sound/scenario.ts'
import { sessionFigures } from '../sound/session-figures.ts'
import { openTestRoom, type TestRoom } from '../sound/test-room.ts'
import { playEverything, tracks } from '../sound/transitions.ts'

const goals = { p95Ms: 1, p99Ms: 2.5, freshP95Ms: 2, joinMs: 1_500 }

const open =
  (hasPriority: boolean) =>
  (defer: Defer): Promise<TestRoom> =>
    openTestRoom(defer, { tracks, setups: () => [{}, {}, {}], sound: { hasPriority } })

const title =
  'Skew in the recorded sound of three fresh browsers: start, seek, change of track, pause, late joins'
const baseline =
  'the same browsers without the product, told the instant and scheduling the same noise for it'

/** Measures the skew of three browsers over whole sessions. */
export const sync: Measurement = {
  name: 'sync',
  title,
  baseline,
  measure: async (log, { runs }) => {
    const sessions = await recordScenario(
      { name: 'clean', open: open(true), script: playEverything },
      runs ?? defaultRuns,
      log,
    )
    return sessionFigures(sessions, { goals, bestCase: await recordBestCase(open(true)) })
  },
}

/** The same without real-time priority for sound threads: other programs then cause dropouts. */
export const syncUnprioritised: Measurement = {
  name: 'sync-unprioritised',
  title: `${title}; without real-time priority for sound`,
  baseline,
  isLong: true,
  measure: async (log, { runs }) => {
    const sessions = await recordScenario(
      { name: 'without priority', open: open(false), script: playEverything },
      runs ?? defaultRuns,
      log,
    )
    return sessionFigures(sessions, { bestCase: await recordBestCase(open(false)) })
  },
}

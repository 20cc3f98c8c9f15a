import type { Defer } from '../defer.ts'
import type { Measurement } from '../measurement.ts'
import { recordBestCase } from '../sound/best-case.ts'
import { defaultRuns, recordScenario } from '../sound/scenario.ts'
import { sessionFigures } from '../sound/session-figures.ts'
import { openTestRoom, type TestRoom } from '../sound/test-room.ts'
import { playEverything, tracks } from '../sound/transitions.ts'

/** By how much the clocks of the owner's and of the listeners' sound devices are faster than the system's. */
const clocksPpm = [0, 60, -40]

const open = (defer: Defer): Promise<TestRoom> =>
  openTestRoom(defer, { tracks, setups: () => [{}, {}, {}], sound: { clocksPpm } })

/** Measures the skew of browsers whose sound devices have clocks of their own, as all real ones do. */
export const syncDevices: Measurement = {
  name: 'sync-devices',
  title: `Skew in the recorded sound of three browsers whose devices are ${clocksPpm.join(', ')} ppm fast`,
  baseline: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  isLong: true,
  measure: async (log, { runs }) => {
    const sessions = await recordScenario(
      { name: 'own clocks', open, script: playEverything },
      runs ?? defaultRuns,
      log,
    )
    return sessionFigures(sessions, { goals: { p95Ms: 1 }, bestCase: await recordBestCase(open) })
  },
}

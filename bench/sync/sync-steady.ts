import { setTimeout as delay } from 'node:timers/promises'
import type { Measurement } from '../measurement.ts'
import { recordScenario } from '../sound/scenario.ts'
import { sessionFigures } from '../sound/session-figures.ts'
import { openTestRoom } from '../sound/test-room.ts'
import { play } from '../sound/transitions.ts'

const minutes = 10

/** Measures the skew of three browsers in steady playback, for as long as clocks need to drift apart. */
export const syncSteady: Measurement = {
  name: 'sync-steady',
  title: `Skew in the recorded sound of three browsers in ${minutes} minutes that nobody disturbs`,
  baseline: null,
  isLong: true,
  measure: async (log, { runs }) => {
    const sessions = await recordScenario(
      {
        name: `${minutes} minutes`,
        open: (defer) =>
          openTestRoom(defer, {
            tracks: [{ title: 'Noise', seconds: (minutes + 2) * 60 }],
            setups: () => [{}, {}, {}],
          }),
        script: async (session) => {
          await play(session)
          await delay(minutes * 60_000)
        },
      },
      runs ?? 1,
      log,
    )
    return sessionFigures(sessions, { goals: { p95Ms: 1, p99Ms: 2.5 } })
  },
}

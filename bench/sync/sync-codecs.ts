import type { Encoding } from '@earshot/e2e/sound/recording/noise-tracks'
import type { Figure, Measurement } from '../measurement.ts'
import { defaultRuns, recordScenario } from '../sound/scenario.ts'
import { sessionFigures } from '../sound/session-figures.ts'
import { openTestRoom } from '../sound/test-room.ts'
import { playEverything, tracks } from '../sound/transitions.ts'

const encodings: Encoding[] = ['opus', 'mp3', 'm4a', 'flac']
const goals = { p95Ms: 1, p99Ms: 2.5, freshP95Ms: 2, joinMs: 1_500 }

/** Measures the skew of three browsers that play files as people have them. */
export const syncCodecs: Measurement = {
  name: 'sync-codecs',
  title: 'Skew in the recorded sound of three browsers, by the codec of the music',
  baseline: null,
  isLong: true,
  measure: async (log, { runs }) => {
    const figures: Figure[] = []
    for (const encoding of encodings) {
      const sessions = await recordScenario(
        {
          name: encoding,
          open: (defer) => openTestRoom(defer, { tracks, encoding, setups: () => [{}, {}, {}] }),
          script: playEverything,
        },
        runs ?? defaultRuns,
        log,
      )
      figures.push(...sessionFigures(sessions, { name: encoding, goals }))
    }
    return figures
  },
}

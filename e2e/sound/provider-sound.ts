import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '@earshot/core/statistics'
import { spotifySettings, youtubeSettings } from '@earshot/provider-doubles/server-settings'
import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import type { YoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import { startApp } from '../app.ts'
import { spotify, youtube } from '../provider-fixtures.ts'
import { test as base } from './fixtures.ts'
import type { Recorder } from './recorder.ts'

/** Sound tests with a server whose Spotify and YouTube are doubles. */
export const test = base.extend<object, { spotify: SpotifyDouble; youtube: YoutubeDouble }>({
  spotify,
  youtube,
  app: [
    async ({ spotify: spotifyDouble, youtube: youtubeDouble, noiseFolder }, provide) => {
      const env = { ...spotifySettings(spotifyDouble), ...youtubeSettings(youtubeDouble) }
      const app = await startApp({ musicDir: noiseFolder, env })
      await provide(app)
      await app.stop()
    },
    { scope: 'worker' },
  ],
})

/** The time after a start in which a player may find its place. */
export const settleMs = 5_000

/**
 * Records windows of 1 s, one after the other or spread over a time, and returns the 95th percentile of the skews of two
 * listeners in ms. A window in which they do not play the same counts as infinite.
 */
export async function recordP95SkewMs(recorder: Recorder, { windows = 8, overMs = 0 } = {}): Promise<number> {
  const startedAtMs = performance.now()
  const skews: number[] = []
  for (let window = 0; window < windows; window += 1) {
    await delay(Math.max(0, startedAtMs + (overMs / windows) * window - performance.now()))
    const recording = await recorder.record(1_000)
    const { lagMs, correlation } = recording.skew(0, 1)
    skews.push(correlation > 0.2 ? Math.abs(lagMs) : Infinity)
  }
  return percentile(skews, 0.95) ?? Infinity
}

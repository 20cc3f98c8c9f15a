import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { percentile } from '@earshot/core/statistics'
import { spotifySettings, youtubeSettings } from '@earshot/provider-doubles/server-settings'
import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import type { YoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import { startApp, type App } from '../support/app.ts'
import { launchOptions } from '../support/browser.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addSpotifyTrack, connectBoth } from '../players/spotify-room.ts'
import { spotify, youtube } from '../support/worker-fixtures.ts'
import { addVideo } from '../players/youtube-room.ts'
import { test as base } from './fixtures.ts'
import { startRecorder, type Recorder } from './recording/recorder.ts'

interface ProviderFixtures {
  /** Plays on the recorder's channel 2, in a browser that only the tests with this fixture start. */
  secondListener: Person
}

/** Sound tests with a server whose Spotify and YouTube are doubles. */
export const test = base.extend<ProviderFixtures, { spotify: SpotifyDouble; youtube: YoutubeDouble }>({
  spotify,
  youtube,
  recorder: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => {
      const recorder = await startRecorder(3)
      await provide(recorder)
      await recorder.stop()
    },
    { scope: 'worker' },
  ],
  secondListener: async ({ app, recorder }, provide) => {
    const browser = await chromium.launch(launchOptions({ sound: recorder.environment(2) }))
    await provide(await openPerson(browser, app, 'lena'))
    await browser.close()
  },
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

interface TwoPeople {
  app: App
  room: { id: string }
  owner: Person
  listener: Person
}

/** Plays a video to two people, and returns when their players may have found their place. */
export async function playVideo({ app, room, owner, listener }: TwoPeople, videoId: string): Promise<void> {
  await openRoom(owner.page, app.url, room.id)
  await addVideo(app, owner, room.id, videoId)
  await openRoom(listener.page, app.url, room.id)
  await press(owner.page, 'Play')
  await owner.page.waitForTimeout(settleMs)
}

/** Plays a Spotify track to two people, and returns when their players may have found their place. */
export async function playSpotify(
  { app, room, owner, listener, spotify: double }: TwoPeople & { spotify: SpotifyDouble },
  title: string,
): Promise<void> {
  await connectBoth(app, double, { owner, listener })
  await openRoom(owner.page, app.url, room.id)
  await addSpotifyTrack(app, owner, room.id, title)
  await openRoom(listener.page, app.url, room.id)
  await press(owner.page, 'Play')
  for (const { page } of [owner, listener]) await waitUntilInSync(page)
  await owner.page.waitForTimeout(settleMs)
}

type Pair = readonly [number, number]

/**
 * Records windows of 1 s, one after the other or spread over a time, and returns the 95th percentile of the skews of
 * pairs of listeners in ms; by default of the first two. A window in which a pair does not play the same counts as
 * infinite.
 */
export async function recordP95SkewMs(
  recorder: Recorder,
  { windows = 8, overMs = 0, pairs = [[0, 1]] as readonly Pair[] } = {},
): Promise<number> {
  const startedAtMs = performance.now()
  const skews: number[] = []
  for (let window = 0; window < windows; window += 1) {
    await delay(Math.max(0, startedAtMs + (overMs / windows) * window - performance.now()))
    const recording = await recorder.record(1_000)
    for (const [a, b] of pairs) {
      const { lagMs, correlation } = recording.skew(a, b)
      skews.push(correlation > 0.2 ? Math.abs(lagMs) : Infinity)
    }
  }
  return percentile(skews, 0.95) ?? Infinity
}

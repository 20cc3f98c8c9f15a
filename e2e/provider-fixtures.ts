import { spotifySettings, youtubeSettings } from '@earshot/provider-doubles/server-settings'
import { startSpotifyDouble, type SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { startYoutubeDouble, type YoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import type { WorkerFixture } from '@playwright/test'
import { test as base } from './fixtures.ts'

type PerWorker<Value> = [WorkerFixture<Value, object>, { scope: 'worker' }]

/** Fixture: a double of Spotify for all tests of a file. */
export const spotify: PerWorker<SpotifyDouble> = [
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
  async ({}, provide) => {
    const double = await startSpotifyDouble()
    await provide(double)
    await double.close()
  },
  { scope: 'worker' },
]

/** Fixture: a double of YouTube for all tests of a file. */
export const youtube: PerWorker<YoutubeDouble> = [
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
  async ({}, provide) => {
    const double = await startYoutubeDouble()
    await provide(double)
    await double.close()
  },
  { scope: 'worker' },
]

/** Page tests with a server whose Spotify is a double. */
export const spotifyTest = base.extend<object, { spotify: SpotifyDouble }>({
  spotify,
  serverEnv: [({ spotify: double }, provide) => provide(spotifySettings(double)), { scope: 'worker' }],
})

/** Page tests with a server whose YouTube is a double, without an API key. */
export const youtubeTest = base.extend<object, { youtube: YoutubeDouble }>({
  youtube,
  serverEnv: [({ youtube: double }, provide) => provide(youtubeSettings(double)), { scope: 'worker' }],
})

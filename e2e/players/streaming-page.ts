import { spotifySettings } from '@earshot/provider-doubles/server-settings'
import { startSpotifyDouble, type SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { expect, test as base, type Page } from '@playwright/test'
import type {} from '../../web/src/players/testing/player-page.ts'
import { startApp, type App } from '../support/app.ts'
import { bundlePlayers } from './player-page.ts'

export { expect }

/** The listener unless a test names another. */
export const premiumUser = 'premium-paula'

/** A double of Spotify and a server that is configured for it. */
interface Stage {
  spotify: SpotifyDouble
  app: App
}

/**
 * A page with the real players and nothing else (`players`), in which the server's own document for Spotify opens. The
 * page and the token call are the test's. `track`: an id at Spotify, and a duration in ms.
 */
export const test = base.extend<
  { players: Page; user: string; track: [string, number] },
  { stage: Stage; code: string }
>({
  code: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => provide(await bundlePlayers()),
    { scope: 'worker' },
  ],
  stage: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => {
      const spotify = await startSpotifyDouble()
      const app = await startApp({ env: spotifySettings(spotify) })
      await provide({ spotify, app })
      await app.stop()
      await spotify.close()
    },
    { scope: 'worker' },
  ],
  user: premiumUser,
  track: async ({ stage: { spotify } }, provide) => {
    const [track] = spotify.control.tracks
    await provide([track?.id ?? '', track?.durationMs ?? 0])
  },
  players: async ({ page, stage: { app, spotify }, code, user }, provide) => {
    await page.route(`${app.url}/test`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/test.js"></script>' }),
    )
    await page.route(`${app.url}/test.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: code }),
    )
    await page.route(`${app.url}/api/spotify/token`, (route) =>
      route.fulfill({
        json: { accessToken: spotify.control.issueAccessToken(user), expiresAt: Date.now() + 3_600_000 },
      }),
    )
    spotify.calls.splice(0)
    await page.goto(`${app.url}/test`)
    await page.waitForFunction(() => 'openPlayer' in globalThis)
    await provide(page)
    spotify.control.clearFaults()
    spotify.control.configureSdk({ blocksAutoplay: false })
  },
})

/** Opens a player and plays a track for 1.5 s. Resolves to a handle of both. */
export const playTrack = (players: Page, track: [string, number]) =>
  players.evaluateHandle(async (which) => {
    const opened = openPlayer('streaming')
    await opened.player.load(opened.spotifyTrack(...which), 0)
    await opened.player.play(0, opened.wallNow())
    await opened.wait(1_500)
    return opened
  }, track)

/** Returns the calls that started a track. */
export const startsOf = ({ spotify }: Stage) =>
  spotify.calls.filter(({ method, path }) => method === 'PUT' && path.startsWith('/v1/me/player/play'))

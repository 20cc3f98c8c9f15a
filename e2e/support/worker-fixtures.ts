import { startSpotifyDouble, type SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { startYoutubeDouble, type YoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import type { WorkerFixture } from '@playwright/test'
import { startApp, type App } from './app.ts'
import type { PlayerSite } from '../players/player-page.ts'

type PerWorker<Value> = [WorkerFixture<Value, object>, { scope: 'worker' }]

/** The servers that a worker keeps: the one without settings, and the last one with others. */
interface SharedApps {
  get(env: Record<string, string>): Promise<App>
}

export interface WorkerFixtures {
  sharedApps: SharedApps
  spotify: SpotifyDouble
  youtube: YoutubeDouble
  playerSite: PlayerSite
}

/** Makes a fixture of a worker, which starts with the first test that needs it. */
function perWorker<Value>(
  start: () => Promise<Value>,
  stop: (value: Value) => Promise<void>,
): PerWorker<Value> {
  return [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => {
      const value = await start()
      await provide(value)
      await stop(value)
    },
    { scope: 'worker' },
  ]
}

export const spotify = perWorker(startSpotifyDouble, (double: SpotifyDouble) => double.close())
export const youtube = perWorker(startYoutubeDouble, (double: YoutubeDouble) => double.close())

/**
 * The fixtures of all page tests: a test whose file defines more could not use a worker of another file, and the start
 * of a worker takes as long as several tests.
 */
export const workerFixtures = {
  spotify,
  youtube,
  // With the bundler, which most workers do not need.
  playerSite: perWorker(
    async () => (await import('../players/player-page.ts')).startPlayerSite(),
    (site) => site.stop(),
  ),
  sharedApps: perWorker(
    async () => createSharedApps(),
    (apps) => apps.stop(),
  ),
}

function createSharedApps(): SharedApps & { stop(): Promise<void> } {
  const apps = new Map<string, App>()
  const plain = JSON.stringify({})
  return {
    async get(env) {
      const key = JSON.stringify(env)
      const other = [...apps.keys()].find((each) => each !== plain && each !== key)
      if (key !== plain && other !== undefined) {
        await apps.get(other)?.stop()
        apps.delete(other)
      }
      const app = apps.get(key) ?? (await startApp({ env }))
      apps.set(key, app)
      return app
    },
    async stop() {
      await Promise.all([...apps.values()].map((app) => app.stop()))
    },
  }
}

import type { Clock } from '@earshot/core/clock'
import type { SpotifyConnection } from '@earshot/core/protocol/providers'
import { spotifySettings } from '@earshot/provider-doubles/server-settings'
import {
  type SpotifyDouble,
  type SpotifyDoubleOptions,
  startSpotifyDouble,
} from '@earshot/provider-doubles/spotify/spotify-double'
import { onTestFinished } from 'vitest'
import { type AppOptions, startApp, type TestApp, type TestUser } from '../../../../test/apps.ts'
import { systemClock } from '../../../clock/server-clock.ts'

/** Starts a double of Spotify that is closed when the test is over. */
export async function startDouble(options: SpotifyDoubleOptions = {}): Promise<SpotifyDouble> {
  const double = await startSpotifyDouble(options)
  onTestFinished(() => double.close())
  return double
}

export interface SpotifyTestApp {
  app: TestApp
  double: SpotifyDouble
  clock: Clock
  /** Moves the clocks of the server and of the double, by months too: timers keep the real time. */
  advance: (ms: number) => void
}

export async function startSpotifyApp(
  options: AppOptions & { double?: SpotifyDouble } = {},
): Promise<SpotifyTestApp> {
  const double = options.double ?? (await startDouble())
  let shiftMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs }
  const app = await startApp({
    clock,
    ...options,
    variables: { ...spotifySettings(double), ...options.variables },
  })
  const advance = (ms: number): void => {
    shiftMs += ms
    double.control.advanceClock(ms)
  }
  return { app, double, clock, advance }
}

/** Starts to connect as the page does, and agrees on the consent page. Returns what the callback page reads. */
export async function consent(
  { app, double }: Pick<SpotifyTestApp, 'app' | 'double'>,
  user: TestUser,
  spotifyUser = 'premium-paula',
): Promise<{ code: string; state: string }> {
  const { url } = await app.call<{ url: string }>(user, 'POST', '/api/spotify/authorize')
  const query = new URL(await double.control.consentTo(url, { userId: spotifyUser })).searchParams
  return { code: query.get('code') ?? '', state: query.get('state') ?? '' }
}

/** Connects a user's account. */
export async function connect(
  parts: Pick<SpotifyTestApp, 'app' | 'double'>,
  user: TestUser,
  spotifyUser?: string,
): Promise<SpotifyConnection> {
  const callback = await consent(parts, user, spotifyUser)
  const answer = await parts.app.call<{ connection: SpotifyConnection }>(
    user,
    'POST',
    '/api/spotify/callback',
    callback,
  )
  return answer.connection
}

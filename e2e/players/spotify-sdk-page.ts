import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'

/** An event that a player raised, with what came with it. */
export type SdkEvent = [
  name: string,
  data: { device_id?: string; message?: string } | Spotify.PlaybackState | null,
]

declare global {
  interface Window {
    spotifyPlayer: Spotify.Player
    spotifyTokens: string[]
    tokenRequests: number
    sdkEvents: SdkEvent[]
  }
}

/** The events that the SDK documents. */
const eventNames = [
  'ready',
  'not_ready',
  'player_state_changed',
  'autoplay_failed',
  'initialization_error',
  'authentication_error',
  'account_error',
  'playback_error',
]

/** A site of another origin than the provider's, with one page. */
export async function startSite(html = '<!doctype html>'): Promise<{ url: string; stop(): void }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close() }
}

/** Loads the SDK into a page of another origin and creates a player, without connecting it. */
export async function createPlayer(page: Page, double: SpotifyDouble, tokens: string[]): Promise<void> {
  await page.evaluate(
    async ({ sdkUrl, names, given }) => {
      window.sdkEvents = []
      window.spotifyTokens = given
      window.tokenRequests = 0
      await new Promise<void>((resolve) => {
        window.onSpotifyWebPlaybackSDKReady = resolve
        document.head.append(Object.assign(document.createElement('script'), { src: sdkUrl }))
      })
      window.spotifyPlayer = new Spotify.Player({
        name: 'Earshot',
        volume: 0.8,
        getOAuthToken: (callback) => {
          window.tokenRequests += 1
          callback(window.spotifyTokens.shift() ?? 'none left')
        },
      })
      for (const name of names) {
        window.spotifyPlayer.addListener(name as 'ready', (data) =>
          window.sdkEvents.push([name, data ?? null]),
        )
      }
    },
    { sdkUrl: double.sdkUrl, names: eventNames, given: tokens },
  )
}

/**
 * A page that plays without the test's doing: it connects, starts a track, and allows the sound when its button is pressed.
 * Playwright's evaluating counts as a gesture, after which nothing is blocked.
 */
export function selfPlayingPage(double: SpotifyDouble, token: string, trackId: string): string {
  const startUrl = `${double.apiUrl}/v1/me/player/play?device_id=`
  return `<!doctype html><button>Allow sound</button><ol></ol><script>
    const list = (name) => document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: name }))
    window.onSpotifyWebPlaybackSDKReady = () => {
      const player = new Spotify.Player({ name: 'Earshot', getOAuthToken: (callback) => callback('${token}') })
      player.addListener('autoplay_failed', () => list('autoplay_failed'))
      player.addListener('player_state_changed', (state) => !state.loading && !state.paused && list('sounding'))
      player.addListener('ready', ({ device_id }) => fetch('${startUrl}' + device_id, {
        method: 'PUT',
        headers: { authorization: 'Bearer ${token}' },
        body: JSON.stringify({ uris: ['spotify:track:${trackId}'] }),
      }))
      document.querySelector('button').onclick = () => {
        player.activateElement()
        player.resume()
      }
      player.connect()
    }
  </script><script src="${double.sdkUrl}"></script>`
}

/** Returns the events so far, oldest first. */
export const sdkEvents = (page: Page): Promise<SdkEvent[]> => page.evaluate(() => window.sdkEvents)

/** Connects the player. @returns its device id */
export async function connectDevice(page: Page): Promise<string> {
  await page.evaluate(() => window.spotifyPlayer.connect())
  const id = await page.waitForFunction(() => {
    const ready = window.sdkEvents.find(([name]) => name === 'ready')
    return (ready?.[1] as { device_id: string } | undefined)?.device_id
  })
  return (await id.jsonValue()) ?? ''
}

/** Starts a track on a device through the Web API, as a client does. @returns the HTTP status */
export async function startTrack(
  double: SpotifyDouble,
  {
    deviceId,
    token,
    trackIds,
    positionMs = 0,
  }: { deviceId: string; token: string; trackIds: string[]; positionMs?: number },
): Promise<number> {
  const response = await fetch(`${double.apiUrl}/v1/me/player/play?device_id=${deviceId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ uris: trackIds.map((id) => `spotify:track:${id}`), position_ms: positionMs }),
  })
  return response.status
}

/** Polls the player until its state is accepted. @returns that state */
export async function waitForState(
  page: Page,
  accepts: (state: Spotify.PlaybackState) => boolean,
): Promise<Spotify.PlaybackState> {
  let accepted: Spotify.PlaybackState | null = null
  await expect
    .poll(async () => {
      const state = await page.evaluate(() => window.spotifyPlayer.getCurrentState())
      if (state && accepts(state)) accepted = state
      return accepted
    })
    .not.toBeNull()
  return accepted as unknown as Spotify.PlaybackState
}

/** Waits until the player sounds. @returns its state */
export const waitUntilSounding = (page: Page): Promise<Spotify.PlaybackState> =>
  waitForState(page, ({ loading, paused }) => !loading && !paused)

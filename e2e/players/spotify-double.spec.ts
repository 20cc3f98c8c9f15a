import { expect, test, type Page } from '@playwright/test'
import { serverError } from '@earshot/provider-doubles/faults'
import { startSpotifyDouble, type SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { openBrowser } from '../support/browser.ts'
import {
  connectDevice,
  createPlayer,
  sdkEvents,
  selfPlayingPage,
  startSite,
  startTrack,
  waitForState,
  waitUntilSounding,
} from './spotify-sdk-page.ts'

let double: SpotifyDouble
let token: string
let trackIds: string[]

let site: Awaited<ReturnType<typeof startSite>>
test.beforeAll(async () => {
  site = await startSite()
})
test.afterAll(() => site.stop())

test.beforeEach(async ({ page }) => {
  double = await startSpotifyDouble()
  await page.goto(site.url)
  token = double.control.issueAccessToken('premium-paula')
  trackIds = double.control.tracks.map(({ id }) => id)
})
test.afterEach(() => double.close())

const currentState = (page: Page) => page.evaluate(() => window.spotifyPlayer.getCurrentState())
const eventsNamed = async (page: Page, name: string) =>
  (await sdkEvents(page)).filter(([event]) => event === name)

async function playTrack(page: Page, index = 0, positionMs = 0): Promise<string> {
  const deviceId = await connectDevice(page)
  expect(await startTrack(double, { deviceId, token, trackIds: [trackIds[index] ?? ''], positionMs })).toBe(
    204,
  )
  return deviceId
}

test('a player is ready, and plays what the Web API starts on it after a latency', async ({ page }) => {
  double.control.configureSdk({ startLatencyMs: [400, 400] })
  await createPlayer(page, double, [token])
  expect(await currentState(page)).toBeNull()
  await playTrack(page, 0, 20_000)
  const state = await waitUntilSounding(page)
  expect(state.track_window.current_track.id).toBe(trackIds[0])
  expect(state.position).toBeGreaterThanOrEqual(20_000)
  expect(state.position).toBeLessThan(22_000)
  const [loading, sounding] = (await eventsNamed(page, 'player_state_changed')).map(
    ([, data]) => data as Spotify.PlaybackState,
  )
  expect(loading).toMatchObject({ loading: true, paused: false })
  expect(sounding).toMatchObject({ loading: false, paused: false })
  expect(sounding!.timestamp - loading!.timestamp).toBeGreaterThanOrEqual(390)
})

test('the position runs while nothing sounds yet, and is right afterwards', async ({ page }) => {
  double.control.configureSdk({ startLatencyMs: [1_200, 1_200] })
  await createPlayer(page, double, [token])
  await playTrack(page)
  const buffering = await waitForState(page, ({ loading, position }) => loading && position > 600)
  expect(buffering.position).toBeLessThan(1_500)
  await waitUntilSounding(page)
  const [, sounding] = (await sdkEvents(page)).at(-1) as ['player_state_changed', Spotify.PlaybackState]
  expect(sounding.position).toBeLessThan(100)
})

test('a player that is paused before it sounds stays where it was started', async ({ page }) => {
  double.control.configureSdk({ startLatencyMs: [20_000, 20_000] })
  await createPlayer(page, double, [token])
  await playTrack(page, 0, 30_000)
  await waitForState(page, ({ loading, position }) => loading && position > 30_300)
  await page.evaluate(() => window.spotifyPlayer.pause())
  expect(await currentState(page)).toMatchObject({ paused: true, loading: false, position: 30_000 })
})

test('a player pauses, goes on, seeks and skips', async ({ page }) => {
  double.control.configureSdk({
    startLatencyMs: [50, 50],
    seekLatencyMs: [50, 50],
    resumeLatencyMs: [10, 10],
  })
  await createPlayer(page, double, [token])
  const deviceId = await connectDevice(page)
  await startTrack(double, { deviceId, token, trackIds: trackIds.slice(0, 2) })
  await waitUntilSounding(page)
  await page.evaluate(() => window.spotifyPlayer.pause())
  const paused = await currentState(page)
  expect(paused?.paused).toBe(true)
  expect((await currentState(page))?.position).toBe(paused?.position)
  await page.evaluate(() => window.spotifyPlayer.seek(60_000))
  expect((await currentState(page))?.position).toBe(60_000)
  await page.evaluate(() => window.spotifyPlayer.resume())
  expect((await waitUntilSounding(page)).position).toBeGreaterThanOrEqual(60_000)
  await page.evaluate(() => window.spotifyPlayer.nextTrack())
  await expect.poll(async () => (await currentState(page))?.track_window.current_track.id).toBe(trackIds[1])
  await page.evaluate(() => window.spotifyPlayer.setVolume(0.25))
  expect(await page.evaluate(() => window.spotifyPlayer.getVolume())).toBe(0.25)
})

test('a track that ends leaves the player paused at 0, with the track among the previous ones', async ({
  page,
}) => {
  double.control.configureSdk({ startLatencyMs: [50, 50] })
  await createPlayer(page, double, [token])
  const index = double.control.tracks.findIndex(({ title }) => title === 'Eight Seconds')
  await playTrack(page, index, 7_000)
  await waitUntilSounding(page)
  await expect.poll(async () => (await currentState(page))?.paused).toBe(true)
  const state = await currentState(page)
  expect(state).toMatchObject({ position: 0, track_window: { previous_tracks: [{ id: trackIds[index] }] } })
})

test('starting on another device makes a player inactive: its state is null', async ({ page }) => {
  await createPlayer(page, double, [token])
  await playTrack(page)
  await waitUntilSounding(page)
  const phone = double.control.addPhone('premium-paula')
  await startTrack(double, { deviceId: phone, token, trackIds: trackIds.slice(1, 2) })
  await expect.poll(() => currentState(page)).toBeNull()
  expect((await sdkEvents(page)).at(-1)).toEqual(['player_state_changed', null])
})

test('a new token is asked for when the current one expires, and refused ones are reported', async ({
  page,
}) => {
  await createPlayer(page, double, [token, double.control.issueAccessToken('premium-paula')])
  await connectDevice(page)
  double.control.advanceClock(3_601_000)
  await expect.poll(() => page.evaluate(() => window.tokenRequests)).toBe(2)
  await expect.poll(() => eventsNamed(page, 'authentication_error')).toHaveLength(1)
})

test('users without Premium get account_error', async ({ page }) => {
  await createPlayer(page, double, [double.control.issueAccessToken('free-frieda')])
  expect(await page.evaluate(() => window.spotifyPlayer.connect())).toBe(false)
  expect(await eventsNamed(page, 'account_error')).toHaveLength(1)
})

test('a blocked start raises autoplay_failed; activateElement allows the next', async ({ page }) => {
  double.control.configureSdk({ blocksAutoplay: true, startLatencyMs: [20, 20], resumeLatencyMs: [20, 20] })
  await createPlayer(page, double, [token])
  await playTrack(page)
  await expect.poll(() => eventsNamed(page, 'autoplay_failed')).toHaveLength(1)
  expect((await currentState(page))?.paused).toBe(true)
  await page.evaluate(() => window.spotifyPlayer.activateElement())
  await page.evaluate(() => window.spotifyPlayer.resume())
  await waitUntilSounding(page)
})

test('tracks that cannot be played, errors on demand, and going offline are reported', async ({ page }) => {
  await createPlayer(page, double, [token])
  await playTrack(
    page,
    double.control.tracks.findIndex(({ isPlayable }) => !isPlayable),
  )
  await expect.poll(() => eventsNamed(page, 'playback_error')).toHaveLength(1)
  double.control.raisePlayerError('premium-paula', 'initialization_error', 'Failed to initialize player')
  await expect.poll(() => eventsNamed(page, 'initialization_error')).toHaveLength(1)
  double.control.setDevicesOnline('premium-paula', false)
  await expect.poll(() => eventsNamed(page, 'not_ready')).toHaveLength(1)
  double.control.setDevicesOnline('premium-paula', true)
  await expect.poll(() => eventsNamed(page, 'ready')).toHaveLength(2)
})

test('a relinked track is reported under its other id, twice if told to', async ({ page }) => {
  const [track] = double.control.tracks
  track!.relinkedId = '7ouMYWpwJ422jRcDASZB7P'
  double.control.configureSdk({ repeatsStateEvents: true, startLatencyMs: [200, 200] })
  await createPlayer(page, double, [token])
  await playTrack(page)
  const state = await waitUntilSounding(page)
  expect(state.track_window.current_track).toMatchObject({
    id: '7ouMYWpwJ422jRcDASZB7P',
    linked_from: { id: trackIds[0], uri: `spotify:track:${trackIds[0]}` },
  })
  await expect.poll(() => eventsNamed(page, 'player_state_changed')).toHaveLength(4)
})

test('a server that fails makes initialization_error', async ({ page }) => {
  double.control.fail('POST /sdk/devices', serverError, 1)
  await createPlayer(page, double, [token, token])
  expect(await page.evaluate(() => window.spotifyPlayer.connect())).toBe(false)
  expect(await eventsNamed(page, 'initialization_error')).toHaveLength(1)
  await connectDevice(page)
})

test("the browser's own policy blocks the sound until a button is pressed", async () => {
  const self = await startSite(selfPlayingPage(double, token, trackIds[0] ?? ''))
  const browser = await openBrowser({ mayAutoplay: false })
  await browser.page.goto(self.url)
  const state = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${double.apiUrl}/v1/me/player`, { headers })
    return response.status === 204 ? null : ((await response.json()) as { is_playing: boolean }).is_playing
  }
  // Not asked in the page, which would allow the sound.
  await expect.poll(state).toBe(true)
  await expect.poll(state).toBe(false)
  await browser.page.getByRole('button').click()
  await expect(browser.page.getByRole('listitem')).toHaveText(['autoplay_failed', 'sounding'])
  await browser.close()
  self.stop()
})

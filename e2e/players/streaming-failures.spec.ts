import type { Page } from '@playwright/test'
import { deviceNotFound, rateLimited, tokenExpired } from '@earshot/provider-doubles/spotify/spotify-faults'
import type {} from '../../web/src/players/testing/player-page.ts'
import { expect, playTrack, premiumUser, startsOf, test } from './streaming-page.ts'

/** The streaming player where Spotify, the browser or the account refuses. */

const play = 'PUT /v1/me/player/play'

test.describe('a free account', () => {
  test.use({ user: 'free-frieda' })
  test('15.25 a free account is reported as the reason', async ({ players, track }) => {
    expect(await unsupportedReason(players, track)).toBe('no_premium')
  })
})

test('15.107 an app whose owner has no Premium is reported as the reason', async ({
  players,
  stage: { spotify },
  track,
}) => {
  spotify.app.ownerHasPremium = false
  const reason = await unsupportedReason(players, track)
  spotify.app.ownerHasPremium = true
  expect(reason).toBe('app_paused')
})

test('15.25 no connection is reported as the reason, without loading anything of Spotify', async ({
  players,
  stage: { app, spotify },
  track,
}) => {
  await players.route(`${app.url}/api/spotify/token`, (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'not_connected', message: 'Connect first' } } }),
  )
  expect(await unsupportedReason(players, track)).toBe('not_connected')
  expect(spotify.calls).toEqual([])
})

async function unsupportedReason(players: Page, track: [string, number]) {
  return players.evaluate(async (which) => {
    const { player, events, spotifyTrack, wait } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    for (let turn = 0; turn < 60 && events.every(({ type }) => type !== 'unsupported'); turn++) await wait(50)
    return events.find((event) => event.type === 'unsupported')?.reason
  }, track)
}

test('15.27 an expired token is replaced while the track plays on', async ({
  players,
  stage: { spotify },
  track,
}) => {
  const opened = await playTrack(players, track)
  spotify.control.expireAccessTokens(premiumUser)
  const { status, reports } = await opened.evaluate(async ({ player, events, wait }) => {
    await wait(2_500)
    return { status: player.sample()?.status, reports: events.filter(({ type }) => type !== 'status') }
  })
  expect({ status, reports }).toEqual({ status: 'playing', reports: [] })
  expect(spotify.calls.filter(({ path }) => /^\/sdk\/devices\/\w+\/token$/.test(path))).toHaveLength(1)
})

test('15.27 a refused token and an unknown device are tried once more', async ({ players, stage, track }) => {
  const { spotify } = stage
  spotify.control.fail(play, tokenExpired, 1)
  spotify.control.fail(play, deviceNotFound, 1)
  const status = await players.evaluate(async (which) => {
    const { player, spotifyTrack } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    return player.sample()?.status
  }, track)
  expect(status).toBe('ready')
  expect(startsOf(stage)).toHaveLength(3)
})

test('15.27 at the rate limit the player states until when, and asks no more until then', async ({
  players,
  stage,
  track,
}) => {
  stage.spotify.control.fail(play, rateLimited(600))
  const { errors, status } = await players.evaluate(async (which) => {
    const { player, events, spotifyTrack } = openPlayer('streaming')
    for (let turn = 0; turn < 3; turn++) await player.load(spotifyTrack(...which), 0)
    const errors = events.flatMap((event) => (event.type === 'error' ? [event.message] : []))
    return { errors, status: player.sample()?.status }
  }, track)
  expect(status).toBe('error')
  expect(errors).toHaveLength(3)
  expect(errors[0]).toMatch(/^Spotify asks to wait until .*\d/)
  expect(startsOf(stage)).toHaveLength(1)
})

test('15.25 a track that Spotify cannot play here is given up after three attempts', async ({
  players,
  stage: { spotify },
}) => {
  const hum = spotify.control.tracks.find(({ isPlayable }) => !isPlayable)
  const reasons = await players.evaluate(
    async ([id, duration]) => {
      const { player, events, spotifyTrack } = openPlayer('streaming')
      for (let turn = 0; turn < 3; turn++) await player.load(spotifyTrack(id, duration), 0)
      return events.flatMap((event) => (event.type === 'unsupported' ? [event.reason] : []))
    },
    [hum?.id ?? '', hum?.durationMs ?? 0] as const,
  )
  expect(reasons).toEqual(['blocked'])
})

test('15.106 a track whose start Spotify refuses here is given up after three attempts', async ({
  players,
  stage,
  track,
}) => {
  const restricted = stage.spotify.control.tracks[0]
  if (restricted) restricted.onStart = 'refused'
  const reasons = await players.evaluate(async (which) => {
    const { player, events, spotifyTrack } = openPlayer('streaming')
    for (let turn = 0; turn < 3; turn++) await player.load(spotifyTrack(...which), 0)
    return events.flatMap((event) => (event.type === 'unsupported' ? [event.reason] : []))
  }, track)
  delete restricted?.onStart
  expect(reasons).toEqual(['blocked'])
  expect(startsOf(stage)).toHaveLength(3)
})

test('15.25 a browser without copy protection is reported as the reason', async ({
  players,
  stage: { spotify },
  track,
}) => {
  const opened = await playTrack(players, track)
  spotify.control.raisePlayerError(premiumUser, 'initialization_error', 'Failed to initialize player')
  const reason = await opened.evaluate(async ({ events, waitFor }) => {
    await waitFor(({ type }) => type === 'unsupported')
    return events.find((event) => event.type === 'unsupported')?.reason
  })
  expect(reason).toBe('no_drm')
})

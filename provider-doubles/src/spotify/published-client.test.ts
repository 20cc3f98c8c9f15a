import { SpotifyApi } from '@spotify/web-api-ts-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSpotifyDouble, type SpotifyDouble } from './spotify-double.ts'

/** The provider's own client, whose addresses are fixed: only the host is replaced. */
let client: SpotifyApi
let double: SpotifyDouble
beforeAll(async () => {
  double = await startSpotifyDouble()
  client = SpotifyApi.withAccessToken(
    double.app.clientId,
    {
      access_token: double.control.issueAccessToken('premium-paula'),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: '',
    },
    { fetch: (input, init) => fetch(toDouble(input), init) },
  )
})
afterAll(() => double.close())

function toDouble(input: RequestInfo | URL): string {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  return double.apiUrl + pathname + search
}

it("the provider's client searches and reads profile and playlists", async () => {
  const { tracks } = await client.search('harbour', ['track'], undefined, 10)
  expect(tracks.items[0]?.artists[0]?.name).toBe('Paper Lanterns')
  expect((await client.currentUser.profile()).display_name).toBe('Paula')
  const playlists = await client.currentUser.playlists.playlists(50)
  expect(playlists.total).toBe(5)
})

it("the provider's client plays, seeks and reads the playback", async () => {
  const phone = double.control.addPhone('premium-paula')
  const { uri } = (await client.search('harbour', ['track'])).tracks.items[0]!
  await client.player.startResumePlayback(phone, undefined, [uri], undefined, 1_000)
  await client.player.seekToPosition(50_000, phone)
  await client.player.pausePlayback(phone)
  const playback = await client.player.getPlaybackState()
  expect(playback).toMatchObject({ is_playing: false, progress_ms: 50_000, item: { uri } })
})

it("the provider's client reports refusals", async () => {
  await expect(client.search('harbour', ['track'], undefined, 20)).rejects.toThrow('Invalid limit')
  double.control.expireAccessTokens('premium-paula')
  await expect(client.currentUser.profile()).rejects.toThrow('token')
})

import type { Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { spotifyTest as test } from './provider-fixtures.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { addSpotifyTrack, connect, connectBoth, spotifyFrames } from './spotify-room.ts'

/** Rooms that play Spotify's tracks, with the real server and page against a double of Spotify. */

/** Returns a function that reads the latest counts of unplayable tracks that a page received. */
function trackPlayability(page: Page): () => string {
  let latest = ''
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('["playability",')) latest = String(payload)
    }),
  )
  return () => latest
}

test(
  '15.23, 15.24 listeners with accounts of their own hear a track in sync, between tracks of the library',
  { tag: '@long' },
  async ({ app, spotify, owner, listener, room }) => {
    await connectBoth(app, spotify, { owner, listener })
    for (const { page } of [owner, listener]) await openRoom(page, app.url, room.id)
    await addTracks(app, owner.context, room.id, ['Glasshouse'])
    await addSpotifyTrack(app, owner, room.id, 'Harbour Lights')
    await addTracks(app, owner.context, room.id, ['Underpass'])

    await press(owner.page, 'Play')
    for (const { page } of [owner, listener]) await waitUntilInSync(page)

    await press(owner.page, 'Next track')
    for (const { page } of [owner, listener]) {
      await expect(nowPlaying(page).getByRole('heading', { name: 'Harbour Lights' })).toBeVisible()
      await expect(spotifyFrames(page)).toHaveCount(1)
      await waitUntilInSync(page)
    }

    await press(owner.page, 'Next track')
    for (const { page } of [owner, listener]) {
      await expect(spotifyFrames(page)).toHaveCount(0)
      await waitUntilInSync(page)
    }
  },
)

test(
  '15.26 a device that takes over silences this page until the listener wants it back',
  { tag: '@long' },
  async ({ app, spotify, owner, room }) => {
    await connect(app, spotify, owner, 'premium-priya')
    await openRoom(owner.page, app.url, room.id)
    const trackId = await addSpotifyTrack(app, owner, room.id, 'Last Boat Home')
    await press(owner.page, 'Play')
    await waitUntilInSync(owner.page)

    const phone = spotify.control.addPhone('premium-priya')
    const starts = () => spotify.calls.filter(({ path }) => path.startsWith('/v1/me/player/play')).length
    await fetch(`${spotify.apiUrl}/v1/me/player/play?device_id=${phone}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${spotify.control.issueAccessToken('premium-priya')}` },
      body: JSON.stringify({ uris: [trackId.replace('spotify:', 'spotify:track:')] }),
    })
    await expect(nowPlaying(owner.page).getByText('Spotify is playing on another device')).toBeVisible()
    const startsBefore = starts()
    await owner.page.waitForTimeout(6_000)
    expect(starts()).toBe(startsBefore)

    await nowPlaying(owner.page).getByRole('button', { name: 'Play here' }).last().click()
    await waitUntilInSync(owner.page)
    await expect(nowPlaying(owner.page).getByText('Spotify is playing on another device')).toBeHidden()
  },
)

test('15.25, 15.28 a listener without an account does not hold up the room, and the owner is told how many', async ({
  app,
  spotify,
  owner,
  listener,
  room,
}) => {
  await connect(app, spotify, owner, 'premium-paula')
  const readCounts = trackPlayability(owner.page)
  for (const { page } of [owner, listener]) await openRoom(page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Glasshouse'])
  const trackId = await addSpotifyTrack(app, owner, room.id, 'Harbour Lights')
  await expect.poll(readCounts).toContain(`"unplayable":{"${trackId}":1}`)

  await press(owner.page, 'Play')
  await waitUntilInSync(owner.page)
  await press(owner.page, 'Next track')
  await waitUntilInSync(owner.page)
  await expect(spotifyFrames(owner.page)).toHaveCount(1)
  await expect(spotifyFrames(listener.page)).toHaveCount(0)
})

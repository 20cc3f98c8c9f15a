import { openRoom, press } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { addSpotifyTrack, connectBoth } from '../players/spotify-room.ts'
import { addVideo } from '../players/youtube-room.ts'
import { expect, expectInSync } from './fixtures.ts'
import { playSpotify, recordP95SkewMs, settleMs, test } from './provider-sound.ts'

/** The streaming player can only seek, by a call over the network: its sync is the coarsest. */
const maxStreamingSkewMs = 250

test('15.24 the recorded sound of two Spotify listeners is in sync 5 s after the start', async ({
  app,
  recorder,
  spotify,
  owner,
  listener,
  room,
}) => {
  await playSpotify({ app, room, owner, listener, spotify }, 'Harbour Lights')
  expect(await recordP95SkewMs(recorder)).toBeLessThanOrEqual(maxStreamingSkewMs)
})

test('15.24 a queue of three sources goes on in sync from one to the next, with at most 1.5 s of silence', async ({
  app,
  recorder,
  spotify,
  owner,
  listener,
  room,
}) => {
  await connectBoth(app, spotify, { owner, listener })
  await openRoom(owner.page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Alpha'])
  await addSpotifyTrack(app, owner, room.id, 'Harbour Lights')
  await addVideo(app, owner, room.id, 'OK_00000001')
  await addTracks(app, owner.context, room.id, ['Beta'])
  await openRoom(listener.page, app.url, room.id)
  await press(owner.page, 'Play')
  await expectInSync(recorder)
  for (const [next, maxSkewMs] of [
    ['Spotify', maxStreamingSkewMs],
    ['a video', 60],
    ['the library', 15],
  ] as const) {
    const [change] = await Promise.all([recorder.record(5_000), press(owner.page, 'Next track')])
    for (const channel of [0, 1]) {
      expect(change.longestGapMs(channel), `silence before ${next}, ms`).toBeLessThanOrEqual(1_500)
    }
    await owner.page.waitForTimeout(settleMs)
    expect(await recordP95SkewMs(recorder)).toBeLessThanOrEqual(maxSkewMs)
  }
})

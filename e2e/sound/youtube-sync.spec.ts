import { openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { addVideo } from '../players/youtube-room.ts'
import { expect } from './fixtures.ts'
import { playVideo, recordP95SkewMs, test } from './provider-sound.ts'

for (const [name, videoId, maxMs] of [
  ['fine rates', 'OK_00000001', 60],
  ['seeks only', 'COARSE_0001', 150],
] as const) {
  test(`15.20 the recorded sound of two browsers is in sync 5 s after the start, with ${name}`, async ({
    app,
    recorder,
    owner,
    listener,
    room,
  }) => {
    await playVideo({ app, room, owner, listener }, videoId)
    expect(await recordP95SkewMs(recorder)).toBeLessThanOrEqual(maxMs)
  })
}

test('15.18 from the library to a video and back, the silence is at most 1.5 s', async ({
  app,
  recorder,
  owner,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Alpha'])
  await addVideo(app, owner, room.id, 'OK_00000001')
  await addTracks(app, owner.context, room.id, ['Beta'])
  await press(owner.page, 'Play')
  await waitUntilInSync(owner.page)
  for (let turn = 0; turn < 2; turn += 1) {
    const [recording] = await Promise.all([recorder.record(5_000), press(owner.page, 'Next track')])
    expect(recording.longestGapMs(0)).toBeLessThanOrEqual(1_500)
    expect(recording.loudness(0, 4_000)).toBeGreaterThan(0.005)
  }
})

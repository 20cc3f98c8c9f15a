import { percentile } from '@earshot/core/statistics'
import { youtubeSettings } from '@earshot/provider-doubles/server-settings'
import type { YoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import { startApp } from '../app.ts'
import { youtube } from '../provider-fixtures.ts'
import { openRoom, press, waitUntilInSync } from '../room-page.ts'
import { addTracks } from '../rooms.ts'
import { addVideo } from '../youtube-room.ts'
import { expect, test as base } from './fixtures.ts'

const test = base.extend<object, { youtube: YoutubeDouble }>({
  youtube,
  app: [
    async ({ youtube: double, noiseFolder }, provide) => {
      const app = await startApp({ musicDir: noiseFolder, env: youtubeSettings(double) })
      await provide(app)
      await app.stop()
    },
    { scope: 'worker' },
  ],
})

/** The time after a start in which a player may find its place. */
const settleMs = 5_000
const windows = 8

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
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, videoId)
    await openRoom(listener.page, app.url, room.id)
    await press(owner.page, 'Play')
    await owner.page.waitForTimeout(settleMs)
    const skews: number[] = []
    for (let window = 0; window < windows; window += 1) {
      const recording = await recorder.record(1_000)
      const { lagMs, correlation } = recording.skew(0, 1)
      skews.push(correlation > 0.2 ? Math.abs(lagMs) : Infinity)
    }
    expect(percentile(skews, 0.95)).toBeLessThanOrEqual(maxMs)
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

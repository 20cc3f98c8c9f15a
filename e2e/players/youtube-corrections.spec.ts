import { expect } from '@playwright/test'
import { openRoom, press } from '../support/room-page.ts'
import { readPlayback } from '../support/rooms.ts'
import { youtubeTest as test } from './provider-fixtures.ts'
import { addVideo, expectOnTimeline } from './youtube-room.ts'

for (const [name, videoId, withinMs] of [
  ['coarse rates, by seeks', 'COARSE_0001', 150],
  ['rates that read back but have no effect, by seeks', 'FAKE_000001', 150],
  ['fine rates', 'OK_00000001', 60],
] as const) {
  test(`15.20 a player is kept in sync with ${name}`, async ({ app, owner, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, videoId)
    await press(owner.page, 'Play')
    await expectOnTimeline(app, room.id, owner.page, withinMs)
    await owner.page.waitForTimeout(6_000)
    await expectOnTimeline(app, room.id, owner.page, withinMs)
  })
}

for (const [name, videoId] of [
  ['an advertisement that stops the clock', 'MIDAD_00001'],
  ['an advertisement with a clock of its own', 'ADOWN_00001'],
  ['an advertisement that states its own duration', 'ADLENGTH_01'],
  ['a stall', 'STALL_00001'],
] as const) {
  test(`15.18 ${name} does not move the room, and the listener catches up`, async ({ app, owner, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, videoId)
    await press(owner.page, 'Play')
    await expect.poll(async () => (await readPlayback(app, room.id)).is_playing).toBe(true)
    const before = await readPlayback(app, room.id)
    await owner.page.waitForTimeout(11_000)
    await expectOnTimeline(app, room.id, owner.page)
    // Only the duration may have changed, which this server learns from the player.
    const { current_position, timestamp } = await readPlayback(app, room.id)
    expect({ current_position, timestamp }).toEqual({
      current_position: before.current_position,
      timestamp: before.timestamp,
    })
  })
}

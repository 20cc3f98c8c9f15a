import { expect, type Page } from '@playwright/test'
import type { App } from './app.ts'
import { openRoom, press, waitUntilInSync } from './room-page.ts'
import { readPlayback } from './rooms.ts'
import { addVideo, readMedia, test } from './youtube-room.ts'

/** How far a page's media is from the room's timeline, in ms; null while it does not play. */
async function errorMs(app: App, roomId: string, page: Page): Promise<number | null> {
  const playback = await readPlayback(app, roomId)
  const media = await readMedia(page)
  if (!media || media.isPaused || !playback.is_playing) return null
  return media.positionMs - (playback.current_position + media.atMs - playback.timestamp)
}

async function expectOnTimeline(app: App, roomId: string, page: Page, withinMs = 150): Promise<void> {
  await expect
    .poll(async () => Math.abs((await errorMs(app, roomId, page)) ?? Infinity), { timeout: 15_000 })
    .toBeLessThan(withinMs)
}

test('2.22b a video plays in one visible player, in sync, for the owner and a late joiner', async ({
  app,
  owner,
  listener,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addVideo(app, owner, room.id, 'harbour0001')
  const frame = owner.page.locator('iframe[src="/players/youtube"]')
  await expect(frame).toHaveCount(1)
  await press(owner.page, 'Play')
  await expectOnTimeline(app, room.id, owner.page)
  await waitUntilInSync(owner.page)

  await openRoom(listener.page, app.url, room.id)
  await expectOnTimeline(app, room.id, listener.page)

  await press(owner.page, 'Pause')
  for (const { page } of [owner, listener]) {
    await expect.poll(async () => (await readMedia(page))?.isPaused).toBe(true)
  }
})

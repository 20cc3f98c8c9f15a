import type { Page, WebSocket } from '@playwright/test'
import {
  expectOnTimeline,
  leaveRoom,
  nowPlaying,
  openRoom,
  press,
  readShownPlayback,
  waitUntilInSync,
} from '../support/room-page.ts'
import { addTracks, createRoom, readPlayback, readRoom } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

async function enter(page: Page, name: string): Promise<void> {
  const card = page.getByRole('listitem').filter({ hasText: name })
  await card.getByRole('button', { name: /Join Room/ }).click()
  await expect(heading(page, name)).toBeVisible()
}

/** The open sockets of a page, from its next one on. */
function trackSockets(page: Page): Set<WebSocket> {
  const open = new Set<WebSocket>()
  page.on('websocket', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return open
}

test('2.7, 4.9a from room to room in one page: the first falls silent and is left, the second is joined', async ({
  app,
  recorder,
  owner: { page, context },
}) => {
  const loudRoom = await createRoom(app, context, { name: 'Loud Room' })
  const quietRoom = await createRoom(app, context, { name: 'Quiet Room' })
  const sockets = trackSockets(page)
  const countListeners = () =>
    Promise.all([loudRoom, quietRoom].map(async (id) => (await readRoom(app, id)).listeners))
  await openRoom(page, app.url, quietRoom)
  await leaveRoom(page)
  await enter(page, 'Loud Room')
  await addTracks(app, context, loudRoom, ['Alpha'])
  await press(page, 'Play')
  await waitUntilInSync(page)
  expect((await recorder.record(1_000)).loudness(0)).toBeGreaterThan(0.01)

  // Two steps back at once: past the list of rooms, without a page load.
  await page.evaluate(() => history.go(-2))
  await expect(heading(page, 'Quiet Room')).toBeVisible()
  await expect(page.getByText('No track playing')).toBeVisible()
  await expect(nowPlaying(page).getByText('Alpha')).toHaveCount(0)
  expect((await recorder.record(1_200)).loudness(0, 700)).toBeLessThan(0.001)
  await expect.poll(() => sockets.size).toBe(1)
  await expect.poll(countListeners).toEqual([0, 1])

  await page.evaluate(() => history.go(2))
  await expect(heading(page, 'Loud Room')).toBeVisible()
  await waitUntilInSync(page)
  await expect(async () =>
    expectOnTimeline(await readShownPlayback(page), 'Alpha', await readPlayback(app, loudRoom)),
  ).toPass()
  await expect.poll(() => sockets.size).toBe(1)
  await expect.poll(countListeners).toEqual([1, 0])
})

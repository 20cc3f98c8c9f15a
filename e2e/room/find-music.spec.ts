import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { nowPlaying, openRoom, openTab, region } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { settledY } from '../support/settled-place.ts'

/** Searches for a track that is the only result, and returns its add button. */
async function findOrchardPath(page: Page): Promise<Locator> {
  await openTab(page, 'Find Music')
  await page.getByRole('searchbox', { name: 'Search for music' }).fill('orch')
  await expect(region(page, 'Find Music').getByText(/^Results/)).toBeVisible()
  await expect(region(page, 'Find Music').getByRole('listitem')).toHaveCount(1)
  return region(page, 'Find Music').getByRole('button', { name: 'Add Orchard Path to the queue' })
}

test('17.131 five presses of one + add that track five times, and nothing moves under the finger', async ({
  app,
  owner: { page },
  room,
}) => {
  await openRoom(page, app.url, room.id)
  const found = await findOrchardPath(page)
  await settledY(found)
  const before = await found.boundingBox()
  if (!before) throw new Error('The button is not drawn')
  for (let press = 0; press < 5; press += 1)
    await page.mouse.click(before.x + before.width / 2, before.y + before.height / 2)
  await expect(page.getByText('"Orchard Path" added to queue').first()).toBeVisible()
  expect(await found.boundingBox()).toEqual(before)
  await openTab(page, 'Queue')
  // The first of the five is the current track.
  await expect(nowPlaying(page).getByRole('heading', { name: 'Orchard Path' })).toBeVisible()
  await expect(region(page, 'Queue').getByText('Orchard Path')).toHaveCount(4)
  await expect(region(page, 'Queue').getByRole('listitem')).toHaveCount(4)
})

test('17.332 a press counts though the icon of the button changes before it ends', async ({
  app,
  owner: { page, context },
  room,
}) => {
  await openRoom(page, app.url, room.id)
  const icon = (await findOrchardPath(page)).locator('svg')
  await expect(icon).toHaveClass(/lucide-plus/)
  await icon.hover()
  await page.mouse.down()
  await addTracks(app, context, room.id, ['Pocket Comet', 'Orchard Path'])
  await expect(icon).toHaveClass(/lucide-check/)
  await page.mouse.up()
  await openTab(page, 'Queue')
  await expect(region(page, 'Queue').getByText('Orchard Path')).toHaveCount(2)
})

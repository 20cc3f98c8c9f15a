import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { nowPlaying, openRoom, openTab, region } from '../support/room-page.ts'
import { addTracks, fillQueue } from '../support/rooms.ts'
import { settledY } from '../support/settled-place.ts'

const titles = (page: Page) => region(page, 'Queue').getByRole('listitem').locator('p:first-child')

test('17.42, 17.43, 17.44, 17.460, 17.475 a dragged entry moves for everybody; removing, clearing, which asks, and shuffling are undone', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const { page } = owner
  await page.goto(room.path)
  await openTab(page, 'Queue')
  await expect(region(page, 'Queue')).toBeVisible()
  const queued = ['Neon Harbour', 'Glasshouse', 'Orchard Path']
  await addTracks(app, owner.context, room.id, ['Pocket Comet', ...queued])
  await listener.page.goto(room.path)
  for (const each of [page, listener.page]) await expect(titles(each)).toHaveText(queued)

  const handle = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true })
  const toY = await settledY(handle('Neon Harbour'))
  const from = await handle('Orchard Path').boundingBox()
  const to = await handle('Neon Harbour').boundingBox()
  if (!from || !to) throw new Error('A handle is missing')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y, { steps: 8 })
  // The others have made room: the page knows where it is dropped.
  await expect.poll(async () => (await handle('Neon Harbour').boundingBox())?.y).toBeGreaterThan(toY + 20)
  await page.mouse.up()
  const moved = ['Orchard Path', 'Neon Harbour', 'Glasshouse']
  await expect(titles(page)).toHaveText(moved)
  await expect(titles(listener.page)).toHaveText(moved)

  await listener.page.getByRole('button', { name: 'More for Neon Harbour' }).click()
  await listener.page.getByRole('menuitem', { name: 'Remove' }).click()
  // The notice stays while the mouse is over it.
  await listener.page.getByRole('button', { name: 'Undo' }).hover()
  await expect(titles(page)).toHaveText(['Orchard Path', 'Glasshouse'])
  await listener.page.getByRole('button', { name: 'Undo' }).click()
  await expect(titles(page)).toHaveText(moved)

  await page.getByRole('button', { name: 'More for Glasshouse' }).click()
  await page.getByRole('menuitem', { name: 'Play now' }).click()
  await expect(nowPlaying(page).getByRole('heading', { name: 'Glasshouse' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear queue' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear queue' }).click()
  await page.getByRole('button', { name: 'Undo' }).hover()
  await expect(region(listener.page, 'Queue').getByText('Queue is empty')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  const left = ['Orchard Path', 'Neon Harbour']
  for (const each of [page, listener.page]) await expect(titles(each)).toHaveText(left)

  await expect(listener.page.getByRole('button', { name: 'Shuffle' })).toHaveCount(0)
  // Each number is lower than the one before: the order turns round.
  await page.evaluate(() => {
    let next = 1
    Math.random = () => (next *= 0.9)
  })
  await page.getByRole('button', { name: 'Shuffle' }).click()
  for (const each of [page, listener.page]) await expect(titles(each)).toHaveText(left.toReversed())
  await page.getByRole('button', { name: 'Undo' }).hover()
  // What comes meanwhile stays, at the end.
  await addTracks(app, owner.context, room.id, ['Pocket Comet'])
  await expect(titles(page)).toHaveText([...left.toReversed(), 'Pocket Comet'])
  await page.getByRole('button', { name: 'Undo' }).click()
  for (const each of [page, listener.page]) await expect(titles(each)).toHaveText([...left, 'Pocket Comet'])
})

test('17.49 of 1000 entries few are drawn', { tag: '@long' }, async ({ app, owner, room }) => {
  const { page } = owner
  await page.goto(room.path)
  await openTab(page, 'Queue')
  await addTracks(app, owner.context, room.id, ['Neon Harbour'])
  await fillQueue(app, owner.context, room.id, 985)
  await expect(region(page, 'Queue').getByText(/^985 tracks/)).toBeVisible()
  await expect(region(page, 'Queue').getByRole('listitem')).not.toHaveCount(0)
  expect(await region(page, 'Queue').getByRole('listitem').count()).toBeLessThan(30)
})

test('17.49, 17.118, 17.342, 17.494 in a long queue an entry that is moved by keys, also held ones, stays in sight and keeps the focus', async ({
  app,
  owner,
  room,
}) => {
  const { page, context } = owner
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await fillQueue(app, context, room.id, 70)
  await openTab(page, 'Queue')
  await expect(region(page, 'Queue').getByText(/^70 tracks/)).toBeVisible()
  const list = region(page, 'Queue').getByRole('list')
  await list
    .getByRole('button', { name: /^Move / })
    .first()
    .focus()
  // Those out of sight are not drawn.
  expect(await list.getByRole('listitem').count()).toBeLessThan(30)
  const focused = list.getByRole('listitem').filter({ has: page.locator('button:focus') })
  for (let place = 2; place <= 20; place += 1) {
    await page.keyboard.press('ArrowDown')
    await expect(focused).toHaveAttribute('aria-posinset', String(place))
  }
  await expect(focused).toBeInViewport({ ratio: 1 })
  // Each further `down` of a key that is down repeats it.
  for (let place = 19; place >= 2; place -= 1) await page.keyboard.down('ArrowUp')
  await expect(focused).toHaveAttribute('aria-posinset', '2')
  await page.keyboard.up('ArrowUp')
  const title = (await focused.locator('p').first().textContent()) ?? ''
  await expect(focused).toBeInViewport({ ratio: 1 })
  await page.reload()
  await openTab(page, 'Queue')
  await expect(list.getByRole('listitem').nth(1)).toContainText(title)
  // A tab that knows nothing of the room gets all of it, too.
  const other = await context.newPage()
  await other.goto(room.path)
  await openTab(other, 'Queue')
  await expect(region(other, 'Queue').getByRole('listitem').first()).toHaveAttribute('aria-setsize', '70')
})

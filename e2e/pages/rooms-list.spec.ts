import { expect, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'
import { copyRoom } from '../support/rooms.ts'
import { settledY } from '../support/settled-place.ts'

test.use({ appOptions: {} })

const count = 240
const middle = 120
const pageSize = 24

test('17.119 of a long list only the rooms in sight are reloaded, and nothing moves', async ({
  app,
  page,
  room,
}) => {
  await copyRoom(app, room.id, count)
  const clock = await pausePageClock(page)
  const cursors: (string | null)[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/rooms') cursors.push(url.searchParams.get('cursor'))
  })
  await page.goto('/explore')
  const rooms = page.getByRole('list').getByRole('listitem')
  await clock.advanceUntil(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return (await rooms.count()) === count
  }, 60_000)
  const inSight = rooms.nth(middle).getByRole('heading')
  await inSight.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await expect(inSight).toBeInViewport()
  const before = await settledY(inSight)

  const firstPages = new Set(cursors.splice(0))
  expect(firstPages.size).toBe(count / pageSize)
  const nameAt = async (index: number) => (await rooms.nth(index).getByRole('heading').textContent()) ?? ''
  const db = await app.database()
  // The second page begins behind another room from now on.
  const used = db.updateTable('rooms').set(({ eb }) => ({ last_updated: eb('last_updated', '+', 1) }))
  await used.where('name', '=', await nameAt(pageSize - 1)).execute()
  await db
    .updateTable('rooms')
    .set({ name: 'Renamed' })
    .where('name', '=', await nameAt(middle))
    .execute()
  await clock.advanceUntil(async () => (await inSight.textContent()) === 'Renamed', 65_000, 500)
  expect(cursors[0]).toBeNull()
  expect(cursors.some((cursor) => cursor !== null && firstPages.has(cursor))).toBe(true)
  expect(new Set(cursors).size).toBeLessThanOrEqual(5)
  await expect.poll(async () => Math.abs((await settledY(inSight)) - before)).toBeLessThanOrEqual(1)
  await expect(rooms).toHaveCount(count)
})

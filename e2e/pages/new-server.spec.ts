import type { Browser } from '@playwright/test'
import { findUserByAnyName, writeAdmin } from '../../server/src/db/users.ts'
import { startApp, type App } from '../support/app.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { readLayoutShift } from '../support/layout-shift.ts'
import { pausePageClock } from '../support/page-clock.ts'
import { copyRoom, createRoom } from '../support/rooms.ts'
import { settledY } from '../support/settled-place.ts'

// They share a server that has no rooms at first, then many, and whose administrator no other test notices.
test.describe.configure({ mode: 'default' })

const count = 240
const middle = 120
const pageSize = 24

let app: App

test.beforeAll(async () => {
  app = await startApp()
})
test.afterAll(() => app.stop())

let filled: Promise<void> | undefined

/** Fills the list, once for both of its tests. */
async function fillRooms(browser: Browser): Promise<void> {
  const { context } = await openPerson(browser, app, 'olivia')
  await copyRoom(app, await createRoom(app, context, { name: 'Attic' }), count)
  await context.close()
}

test('2.1, 2.14b, 6.1 a visitor finds the rooms list at /, empty at first', async ({ page }) => {
  await page.goto(app.url)
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  await expect(page.getByText('No rooms available')).toBeVisible()
  await expect(page.getByText('Create a new room to get started')).toBeVisible()
})

test('17.169 on a phone the selected tab of the administration is in sight', async ({ browser }) => {
  const { page, context } = await openPerson(browser, app, 'ines', { locale: 'de' })
  const db = await app.database()
  const user = await findUserByAnyName(db, 'ines')
  if (user) await writeAdmin(db, user.id, true)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin')
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveCount(5)
  await expect(tabs.last()).not.toBeInViewport({ ratio: 1 })
  await tabs.last().press('Enter')
  await tabs.last().evaluate((tab: HTMLElement) => tab.click())
  await expect(tabs.last()).toBeInViewport({ ratio: 1 })
  await context.close()
})

test('17.119 of a long list only the rooms in sight are reloaded, and nothing moves', async ({
  browser,
  page,
}) => {
  await (filled ??= fillRooms(browser))
  const clock = await pausePageClock(page)
  const cursors: (string | null)[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/rooms') cursors.push(url.searchParams.get('cursor'))
  })
  await page.goto(`${app.url}/explore`)
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

test('17.117 of a long list the rooms out of sight are not drawn but there, and the way back leads to the same place', async ({
  browser,
  page,
}) => {
  await (filled ??= fillRooms(browser))
  await page.goto(`${app.url}/explore`)
  const rooms = page.getByRole('list').getByRole('listitem')
  await expect(rooms).not.toHaveCount(0)
  const scrollToEnd = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return rooms.count()
  }
  await expect.poll(scrollToEnd, { intervals: [100] }).toBe(count)
  const isDrawn = (index: number) =>
    rooms.nth(index).evaluate((card) => card.checkVisibility({ contentVisibilityAuto: true }))
  await expect.poll(() => isDrawn(count - 1)).toBe(true)
  await expect.poll(() => isDrawn(0)).toBe(false)

  // The keys reach what is not drawn.
  await rooms
    .nth(count - 1)
    .getByRole('button')
    .focus()
  await page.keyboard.press('Home')
  await expect(rooms.nth(0).getByRole('button')).toBeFocused()
  await expect(rooms.nth(0)).toBeInViewport()

  const heading = rooms.nth(middle).getByRole('heading')
  await heading.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await expect.poll(() => isDrawn(middle)).toBe(true)
  const before = await settledY(heading)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  await page.goBack()
  await expect(heading).toBeInViewport()
  await expect.poll(async () => Math.abs((await settledY(heading)) - before)).toBeLessThanOrEqual(1)
  expect(await readLayoutShift(page)).toBeLessThan(0.02)
})

import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { readLayoutShift } from '../support/layout-shift.ts'
import { pausePageClock } from '../support/page-clock.ts'
import { region } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'

const card = (page: Page, name: string): Locator =>
  region(page, 'Available Rooms').getByRole('listitem').filter({ hasText: name })

test('2.9a a splash shows for 2 seconds', { tag: '@long' }, async ({ browser }) => {
  const page = await browser.newPage()
  const clock = await pausePageClock(page)
  await page.goto('/')
  const splash = page.getByText('Loading your music experience...')
  await expect(splash).toBeVisible()
  await clock.advance(1_900)
  await expect(splash).toBeVisible()
  await clock.advance(100)
  await expect(splash).toBeHidden()
  await page.close()
})

test('1.4a, 2.10a the page is dark, and the toggle is remembered over a reload', async ({ page }) => {
  await page.goto('/')
  const brightness = () =>
    page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d')
      if (!canvas) return 0
      canvas.fillStyle = getComputedStyle(document.body).backgroundColor
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
      return (red + green + blue) / 3
    })
  expect(await brightness()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Switch to light mode' }).click()
  await expect.poll(brightness).toBeGreaterThan(200)
  await page.reload()
  await expect.poll(brightness).toBeGreaterThan(200)
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Create Room' })).toBeVisible()
})

test('2.10b on a phone the links are in a menu', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
})

test('2.10d, 2.4 signed out, Sign In leads to /login', async ({ app, page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${app.url}/login`)
  await expect(page.getByText('Music is better together')).toBeVisible()
})

test('1.4b, 2.11a, 2.16b, 5.2a creating is a button in green, the only accent colour, and while signed out warns and goes to /login', async ({
  page,
}) => {
  await page.goto('/')
  const create = page.getByRole('main').getByRole('link', { name: 'Create Room' }).first()
  const colour = await create.evaluate((link) => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) return [0, 0, 0]
    canvas.fillStyle = getComputedStyle(link).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  })
  const [red = 0, green = 0, blue = 0] = colour
  expect(green).toBeGreaterThan(red + 60)
  expect(green).toBeGreaterThan(blue + 60)
  await create.click()
  await expect(page.getByText('Authentication required').first()).toBeVisible()
  await expect(page.getByText('Please log in to create a room').first()).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('2.12, 2.13a, 2.13b, 2.13c, 6.6, 17.1b rooms are cards that a search filters by name', async ({
  app,
  owner,
  page,
}) => {
  await createRoom(app, owner.context, { name: 'Late Night Jazz' })
  await createRoom(app, owner.context, { name: 'Morning Run', isPublic: false, password: 'secret' })
  await page.goto('/')
  const jazz = card(page, 'Late Night Jazz')
  await expect(jazz).toBeVisible()
  await expect(jazz.getByText(owner.name)).toBeVisible()
  await expect(jazz.getByText('0 listeners')).toBeVisible()
  await expect(jazz.getByText('Public room')).toBeVisible()
  await expect(jazz.getByText('Library')).toBeVisible()
  await expect(card(page, 'Morning Run').getByText('Private room')).toBeVisible()
  await page.getByPlaceholder('Search rooms...').fill('jAzZ')
  await expect(jazz).toBeVisible()
  await expect(page.getByText('Morning Run')).toBeHidden()

  // 17.1b: a long name of an owner widens no phone.
  const username = 'W'.repeat(60)
  await (
    await app.database()
  )
    .updateTable('profiles')
    .set((eb) => ({ username, name_key: eb.ref('id'), name_look: eb.ref('id') }))
    .where('username', '=', owner.name)
    .execute()
  await page.setViewportSize({ width: 390, height: 844 })
  // The server lists rooms as they were up to a second ago.
  await expect(async () => {
    await page.reload()
    await expect(jazz.getByText(username)).toBeVisible({ timeout: 5_000 })
  }).toPass()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('2.16a joining while signed out warns and goes to /login', { tag: '@long' }, async ({ page, room }) => {
  await page.goto('/')
  await card(page, room.name)
    .getByRole('button', { name: /Join Room/ })
    .click()
  await expect(page.getByText('Please log in to join a room').first()).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test(
  '2.16c, 2.7 joining while signed in goes to the room',
  { tag: '@long' },
  async ({ room, listener: { page } }) => {
    await page.goto('/')
    await card(page, room.name)
      .getByRole('button', { name: /Join Room/ })
      .click()
    await expect(page).toHaveURL(/\/room\/[\w-]+$/)
    await expect(page.getByRole('heading', { name: room.name })).toBeVisible()
  },
)

test('2.14a, 2.14c, 8.2a skeletons while it loads, then an error with Refresh when it fails', async ({
  page,
  room,
}) => {
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/rooms', async (route) => {
    await gate.promise
    await route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'broken' } } })
  })
  const clock = await pausePageClock(page)
  await page.goto('/')
  await expect(page.locator('[data-skeleton=room]')).toHaveCount(6)
  gate.resolve()
  const failure = page.getByText('Error loading rooms').first()
  await clock.advanceUntil(() => failure.isVisible(), 20_000)
  await expect(page.getByText('Failed to load rooms. Please try again later.')).toBeVisible()
  await expect(page.getByText('Could not load the available rooms. Please try again.')).toBeVisible()
  await page.unroute('**/api/rooms')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await clock.advanceUntil(() => card(page, room.name).isVisible(), 5_000)
})

test('2.15, 9.3 the list reloads every 30 s', { tag: '@long' }, async ({ page }) => {
  let requests = 0
  page.on('request', (request) => (requests += Number(request.url().endsWith('/api/rooms'))))
  const clock = await pausePageClock(page)
  await page.goto('/')
  await clock.advanceUntil(() => page.getByPlaceholder('Search rooms...').isVisible(), 5_000)
  await clock.advanceUntil(() => requests === 1, 5_000)
  const loadedAtMs = clock.elapsedMs
  await clock.advanceUntil(() => requests === 2, 35_000, 500)
  expect(clock.elapsedMs - loadedAtMs).toBeGreaterThan(29_000)
  expect(clock.elapsedMs - loadedAtMs).toBeLessThan(31_000)
})

test('17.89 home is light, nothing shifts, and a phone shows the form to sign in', async ({
  owner,
  page,
  room,
}) => {
  await page.goto('/')
  await expect(card(page, room.name)).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Available Rooms' }).getByRole('listitem').first(),
  ).toBeVisible()
  expect(await readLayoutShift(page)).toBeLessThan(0.02)
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
      (sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize,
      0,
    ),
  )
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(200_000)

  await owner.page.goto(room.path)
  await expect(owner.page.getByRole('region', { name: 'Now Playing' })).toBeVisible()
  expect(await readLayoutShift(owner.page)).toBeLessThan(0.02)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('form').getByRole('button', { name: 'Sign In' })).toBeInViewport({ ratio: 1 })
})

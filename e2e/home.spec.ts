import { expect, test, type Locator, type Page } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { region } from './sound/recorder.ts'
import { createRoom, makePerson, signUp } from './rooms.ts'

let app: App
let browser: Browser

test.beforeAll(async () => {
  app = await startApp()
})
test.afterAll(async () => {
  await app.stop()
})
test.beforeEach(async () => {
  browser = await openBrowser()
})
test.afterEach(async () => {
  await browser.close()
})

const card = (page: Page, name: string): Locator =>
  region(page, 'Available Rooms').getByRole('listitem').filter({ hasText: name })

test('2.1, 2.14b, 6.1 a visitor finds the rooms list at /, empty at first', async () => {
  await browser.page.goto(app.url)
  await expect(browser.page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  await expect(browser.page.getByText('No rooms available')).toBeVisible()
  await expect(browser.page.getByText('Create a new room to get started')).toBeVisible()
})

test('2.9a a splash shows for 2 seconds', async () => {
  await browser.page.goto(app.url)
  const splash = browser.page.getByText('Loading your music experience...')
  await expect(splash).toBeVisible()
  await expect(splash).toBeHidden({ timeout: 4_000 })
})

test('1.4a, 2.10a the page is dark, and the toggle is remembered over a reload', async () => {
  const { page } = browser
  await page.goto(app.url)
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

test('2.10b on a phone the links are in a menu', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(app.url)
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
})

test('2.10d, 2.4 signed out, Sign In leads to /login', async () => {
  const { page } = browser
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${app.url}/login`)
  await expect(page.getByText('Music is better together')).toBeVisible()
})

test('2.11a, 2.16b, 5.2a creating while signed out warns and goes to /login', async () => {
  const { page } = browser
  await page.goto(app.url)
  await page.getByRole('main').getByRole('link', { name: 'Create Room' }).first().click()
  await expect(page.getByText('Authentication required').first()).toBeVisible()
  await expect(page.getByText('Please log in to create a room').first()).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('2.12, 2.13a, 2.13b, 2.13c, 6.6 rooms are cards that a search filters by name', async () => {
  const { page, context } = browser
  const person = makePerson('ada')
  await signUp(app, context, person)
  await createRoom(app, context, { name: 'Late Night Jazz' })
  await createRoom(app, context, { name: 'Morning Run', isPublic: false, password: 'secret' })
  await context.clearCookies()
  await page.goto(app.url)
  const jazz = card(page, 'Late Night Jazz')
  await expect(jazz).toBeVisible()
  await expect(jazz.getByText(person.email.split('@')[0] ?? '')).toBeVisible()
  await expect(jazz.getByText('0 listeners')).toBeVisible()
  await expect(jazz.getByText('Public room')).toBeVisible()
  await expect(jazz.getByText('Library')).toBeVisible()
  await expect(card(page, 'Morning Run').getByText('Private room')).toBeVisible()
  await page.getByPlaceholder('Search rooms...').fill('jAzZ')
  await expect(jazz).toBeVisible()
  await expect(page.getByText('Morning Run')).toBeHidden()
})

test('2.16a joining while signed out warns and goes to /login', async () => {
  const { page } = browser
  await page.goto(app.url)
  await card(page, 'Late Night Jazz')
    .getByRole('button', { name: /Join Room/ })
    .click()
  await expect(page.getByText('Please log in to join a room').first()).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('2.16c, 2.7 joining while signed in goes to the room', async () => {
  const { page, context } = browser
  await signUp(app, context, makePerson('bob'))
  await page.goto(app.url)
  await card(page, 'Late Night Jazz')
    .getByRole('button', { name: /Join Room/ })
    .click()
  await expect(page).toHaveURL(/\/room\/[\w-]+$/)
  await expect(page.getByRole('heading', { name: 'Late Night Jazz' })).toBeVisible()
})

test('2.14a, 2.14c, 8.2a skeletons while it loads, then an error with Refresh when it fails', async () => {
  const { page } = browser
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/rooms', async (route) => {
    await held
    await route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'broken' } } })
  })
  await page.goto(app.url)
  await expect(page.locator('[data-skeleton=room]')).toHaveCount(6)
  release()
  await expect(page.getByText('Error loading rooms').first()).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Failed to load rooms. Please try again later.')).toBeVisible()
  await expect(page.getByText('Could not load the available rooms. Please try again.')).toBeVisible()
  await page.unroute('**/api/rooms')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(region(page, 'Available Rooms').getByRole('listitem').first()).toBeVisible()
})

test('2.15, 9.3 the list reloads every 30 s', async () => {
  const { page } = browser
  await page.clock.install()
  await page.goto(app.url)
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  const reloaded = page.waitForRequest('**/api/rooms')
  await page.clock.runFor(31_000)
  await reloaded
})

test('1.4b green is the one accent of the page', async () => {
  const { page } = browser
  await page.goto(app.url)
  const colour = await page
    .getByRole('main')
    .getByRole('link', { name: 'Create Room' })
    .first()
    .evaluate((link) => {
      const canvas = document.createElement('canvas').getContext('2d')
      if (!canvas) return [0, 0, 0]
      canvas.fillStyle = getComputedStyle(link).backgroundColor
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    })
  const [red = 0, green = 0, blue = 0] = colour
  expect(green).toBeGreaterThan(red + 60)
  expect(green).toBeGreaterThan(blue + 60)
})

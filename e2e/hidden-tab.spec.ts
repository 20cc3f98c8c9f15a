import { expect, test, type Page } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { createRoom, makePerson, signUp } from './rooms.ts'
import { openRoom } from './room-page.ts'

let app: App
let listener: Browser
let roomId: string

test.beforeAll(async () => {
  app = await startApp()
  listener = await openBrowser()
  await signUp(app, listener.context, makePerson('hide'))
  roomId = await createRoom(app, listener.context, { name: 'Background' })
})
test.afterAll(async () => {
  await listener.close()
  await app.stop()
})

/** So many probes measure the clock anew: without a reason they would take most of a minute. */
const burst = 16

/** Puts the tab in the background or the foreground, as far as the page can tell. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

/** When the page probes the server's clock, from its next connection on. */
function notePings(page: Page): number[] {
  const pings: number[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (/^42\d+\["ping"/.test(String(payload))) pings.push(performance.now())
    }),
  )
  return pings
}

test('4.6a, 4.6b a hidden tab pings every 10 s and is marked; seen again, it measures the clock anew', async () => {
  const { page } = listener
  const pings = notePings(page)
  const readMark = () => page.evaluate(() => sessionStorage.getItem('inactive-since'))
  await openRoom(page, app.url, roomId)
  await expect.poll(() => pings.length).toBeGreaterThan(burst)
  expect(await readMark()).toBeNull()

  await setHidden(page, true)
  expect(Number(await readMark())).toBeGreaterThan(Date.now() - 10_000)
  pings.length = 0
  await expect.poll(() => pings.length, { timeout: 20_000 }).toBe(2)
  const apartMs = pings[1]! - pings[0]!
  expect(apartMs).toBeGreaterThan(9_500)
  expect(apartMs).toBeLessThan(12_000)

  pings.length = 0
  await setHidden(page, false)
  expect(await readMark()).toBeNull()
  await expect.poll(() => pings.length).toBeGreaterThanOrEqual(burst)
})

test('4.6b a tab that was reloaded while it was inactive connects after 1 s', async () => {
  const { page } = listener
  await Promise.all([page.waitForEvent('websocket'), openRoom(page, app.url, roomId)])
  await setHidden(page, true)
  let configuredAt = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/api/config')) configuredAt = performance.now()
  })
  const connecting = page.waitForEvent('websocket')
  await page.reload()
  await connecting
  const afterMs = performance.now() - configuredAt
  // Another page connects within some milliseconds.
  expect(afterMs).toBeGreaterThan(700)
  expect(afterMs).toBeLessThan(5_000)
})

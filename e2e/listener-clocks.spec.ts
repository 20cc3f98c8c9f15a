import { expect, test, type Page } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { makeNoiseFolder, press, stage } from './sound/recorder.ts'
import { addTracks, createRoom, makePerson, signUp } from './rooms.ts'
import {
  expectOnTimeline,
  openRoom,
  readPlayback,
  readShown,
  waitUntilInSync,
  watchWhile,
} from './room-page.ts'

const hourMs = 3_600_000
/** Some probes of the server's clock, and many corrections of the player. */
const watchedMs = 4_000

let app: App
let owner: Browser
let listener: Browser
let roomId: string
const noise = makeNoiseFolder([{ title: 'Constant', seconds: 90 }])

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path })
  owner = await openBrowser()
  listener = await openBrowser()
  await signUp(app, owner.context, makePerson('oona'))
  await signUp(app, listener.context, makePerson('lars'))
  roomId = await createRoom(app, owner.context, { name: 'Out of Time' })
})
test.afterAll(async () => {
  await Promise.all([owner.close(), listener.close()])
  await app.stop()
  noise.remove()
})

/** What a page under test has instead of the system's clock. */
type WithClock = typeof globalThis & { dateShiftMs: number }

/** Sets the system clock, as a page sees it that is loaded from now on: all of it reads so much later. */
async function shiftClock(page: Page, shiftMs: number): Promise<void> {
  await page.addInitScript((ms) => {
    const page = globalThis as WithClock
    page.dateShiftMs = ms
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + ms })
    const real = Date
    const now = () => real.now() + page.dateShiftMs
    page.Date = new Proxy(real, {
      construct: (target, given: []) => (given.length === 0 ? new target(now()) : new target(...given)),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    })
  }, shiftMs)
}

/** Sets the system clock under a page that runs: the date jumps, the monotonic clock does not. */
async function jumpDate(page: Page, ms: number): Promise<void> {
  await page.evaluate((jumpMs) => {
    const page = globalThis as WithClock
    page.dateShiftMs += jumpMs
  }, ms)
}

/** How far the date that a page reads is from this machine's, to the minute, in ms. */
async function readShiftMs(page: Page): Promise<number> {
  const ms = (await page.evaluate(() => new Date().getTime())) - Date.now()
  return Math.round(ms / 60_000) * 60_000
}

async function expectTogether(): Promise<void> {
  const playback = await readPlayback(app, roomId)
  for (const { page } of [owner, listener]) {
    await waitUntilInSync(page)
    expectOnTimeline(await readShown(page), 'Constant', playback)
  }
}

test("4.19b, 4.11a system clocks that are an hour off, or jump while it plays, move nobody's music", async () => {
  await shiftClock(owner.page, hourMs)
  await shiftClock(listener.page, 0)
  await Promise.all([owner, listener].map(({ page }) => openRoom(page, app.url, roomId)))
  expect(await readShiftMs(owner.page)).toBe(hourMs)
  await addTracks(app, owner.context, roomId, ['Constant'])
  await press(owner.page, 'Play')
  await expectTogether()

  const playback = await readPlayback(app, roomId)
  const seen = await watchWhile([owner.page, listener.page], async () => {
    await jumpDate(listener.page, -hourMs)
    await jumpDate(owner.page, 2 * hourMs)
    expect([await readShiftMs(listener.page), await readShiftMs(owner.page)]).toEqual([-hourMs, 3 * hourMs])
    await listener.page.waitForTimeout(watchedMs)
  })
  for (const shown of seen) expectOnTimeline(shown, 'Constant', playback)
  await expectTogether()

  await press(owner.page, 'Previous: back to the start')
  await expect(stage(listener.page).getByText(/^0:0[1-4]$/)).toBeVisible()
  await expectTogether()
})

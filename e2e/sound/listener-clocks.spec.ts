import type { Page } from '@playwright/test'
import type { App } from '../support/app.ts'
import type { Person } from '../support/fixtures.ts'
import {
  expectOnTimeline,
  openRoom,
  press,
  readShownPlayback,
  samplePlaybackWhile,
  waitUntilInSync,
} from '../support/room-page.ts'
import { addTracks, readPlayback } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'

const hourMs = 3_600_000
/** Some probes of the server's clock, and many corrections of the player. */
const watchedMs = 4_000
/** How late a busy machine may draw: what a wrong clock does is hours. */
const lateMs = 1_000

/** The shift that the shifted clock adds to the page's date. */
type WithClock = typeof globalThis & { dateShiftMs: number }

/** Shifts the system clock of pages loaded from now on: `Date` and the time origin. */
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

/** Changes the system clock of a running page: the date jumps, the monotonic clock does not. */
async function jumpDate(page: Page, ms: number): Promise<void> {
  await page.evaluate((jumpMs) => {
    const page = globalThis as WithClock
    page.dateShiftMs += jumpMs
  }, ms)
}

/** The page's date minus this machine's, ms, rounded to minutes. */
async function readShiftMs(page: Page): Promise<number> {
  const ms = (await page.evaluate(() => new Date().getTime())) - Date.now()
  return Math.round(ms / 60_000) * 60_000
}

/** When the track that a page shows was at 0:00, by this machine's clock. */
async function readShownStart(page: Page): Promise<number> {
  const { toMs, positionMs } = (await readShownPlayback(page)) ?? { toMs: Number.NaN, positionMs: 0 }
  return toMs - positionMs
}

async function expectTogether(app: App, roomId: string, people: Person[]): Promise<void> {
  // Before the room is read: a command may still be on its way.
  for (const { page } of people) await waitUntilInSync(page)
  const playback = await readPlayback(app, roomId)
  for (const { page } of people) expectOnTimeline(await readShownPlayback(page), 'Alpha', playback, lateMs)
}

test('4.19b, 4.11a system clocks that are an hour off, or jump while it plays, leave the music where it is', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const people = [owner, listener]
  await shiftClock(owner.page, hourMs)
  await shiftClock(listener.page, 0)
  await Promise.all([owner, listener].map(({ page }) => openRoom(page, app.url, room.id)))
  expect(await readShiftMs(owner.page)).toBe(hourMs)
  await addTracks(app, owner.context, room.id, ['Alpha'])
  await press(owner.page, 'Play')
  await expectTogether(app, room.id, people)

  const playback = await readPlayback(app, room.id)
  const seen = await samplePlaybackWhile([owner.page, listener.page], async () => {
    await jumpDate(listener.page, -hourMs)
    await jumpDate(owner.page, 2 * hourMs)
    expect([await readShiftMs(listener.page), await readShiftMs(owner.page)]).toEqual([-hourMs, 3 * hourMs])
    await listener.page.waitForTimeout(watchedMs)
  })
  for (const shown of seen) expectOnTimeline(shown, 'Alpha', playback, lateMs)
  await expectTogether(app, room.id, people)

  const startedAtMs = () => readShownStart(listener.page)
  const earlierMs = await startedAtMs()
  await press(owner.page, 'Previous')
  await expect.poll(startedAtMs).toBeGreaterThan(earlierMs + watchedMs / 2)
  await expectTogether(app, room.id, people)
})

import { setTimeout as delay } from 'node:timers/promises'
import type { Scenario } from '../sound/scenario.ts'
import { openTestRoom } from '../sound/test-room.ts'
import { play, tracks } from '../sound/transitions.ts'
import type { BrowserContext, Page } from '@playwright/test'

const hourMs = 3_600_000

/** One listener's system clock is an hour ahead, another's is set by an hour in mid-track. */
export const wrongClocks: Scenario = {
  name: 'clocks an hour off',
  open: (defer) =>
    openTestRoom(defer, {
      tracks,
      setups: () => [{}, { prepare: ({ context }) => shiftClock(context, hourMs) }, {}],
    }),
  script: async (session) => {
    const [, second] = session.listeners
    await play(session)
    await delay(15_000)
    if (second) await jumpDate(second.page, hourMs)
    await delay(10_000)
  },
}

/** Shifts the system clock of pages loaded from now on: `Date` and the time origin, by `ms`. */
async function shiftClock(context: BrowserContext, ms: number): Promise<void> {
  await context.addInitScript((shiftMs) => {
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + shiftMs })
    const now = Date.now.bind(Date)
    globalThis.Date = new Proxy(Date, {
      construct: (target, given: []) =>
        given.length === 0 ? new target(now() + shiftMs) : new target(...given),
      get: (target, key) => (key === 'now' ? () => now() + shiftMs : Reflect.get(target, key)),
    })
  }, ms)
}

/** Changes the system clock of a running page: the date jumps by `ms`, the monotonic clock does not. */
async function jumpDate(page: Page, ms: number): Promise<void> {
  await page.evaluate((jumpMs) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + jumpMs
  }, ms)
}

import type { BrowserContext, Page } from '@playwright/test'

/** Sets the system clock as the pages of a browser see it that are loaded from now on: `ms` ahead, all of it. */
export async function shiftClock(context: BrowserContext, ms: number): Promise<void> {
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

/** Sets the system clock under a page that runs: the date jumps by `ms`, the monotonic clock does not notice. */
export async function jumpDate(page: Page, ms: number): Promise<void> {
  await page.evaluate((jumpMs) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + jumpMs
  }, ms)
}

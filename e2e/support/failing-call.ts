import type { Locator, Page, Route } from '@playwright/test'
import { pausePageClock, type PageClock } from './page-clock.ts'

/** How a call fails. */
export type Failure = (route: Route) => Promise<void>

const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code, message: 'broken' } } })

export const failures: Record<string, Failure> = {
  hangs: () => Promise.resolve(),
  'fails with 500': refuse(500, 'internal'),
  'is refused with 429': refuse(429, 'rate_limited'),
  'has no network': (route) => route.abort(),
}

/** Two attempts of 10 s and the pause between them, and how far the page's clock moves at once meanwhile. */
export const patienceMs = 25_000
export const strideMs = 500
/** Of calls for which the server asks a provider or hashes a password. */
export const longPatienceMs = 60_000

export interface FailingCall {
  clock: PageClock
  /** Lets the call fail in this way from now on. */
  fail: (failure: Failure) => void
  /** Lets it pass again. */
  mend: () => void
  /** How often it failed. */
  count: () => number
}

/** Pauses the clock of a page on which a call is going to fail: one of this method, where one is given. */
export async function prepareFailingCall(page: Page, path: RegExp, method?: string): Promise<FailingCall> {
  const clock = await pausePageClock(page, path)
  let count = 0
  let failing: Failure | null = null
  await page.route(path, async (route) => {
    const isOther = method !== undefined && route.request().method() !== method
    if (failing === null || isOther) return route.fallback()
    count += 1
    await failing(route)
  })
  return {
    clock,
    fail: (failure) => {
      failing = failure
    },
    mend: () => {
      failing = null
    },
    count: () => count,
  }
}

/** Presses as soon as it can be: the page's clock stands still meanwhile. */
export async function pressWhenShown(clock: PageClock, button: Locator): Promise<void> {
  await clock.advanceUntil(() => button.isVisible(), 15_000)
  await button.click()
}

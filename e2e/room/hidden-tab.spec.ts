import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'
import { nowPlaying } from '../support/room-page.ts'

/** Probes of the burst that measures the clock again; without a reason they would take most of a minute. */
const burst = 16

/** Hides or shows the tab, from the page's point of view. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

/** The page times of the clock probes, from the page's next connection on. */
function recordProbes(page: Page): number[] {
  const timesMs: number[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const [, time] = /^42\d+\["ping",\{"time":([\d.]+)/.exec(String(payload)) ?? []
      if (time !== undefined) timesMs.push(Number(time))
    }),
  )
  return timesMs
}

test(
  '4.6a, 4.6b a hidden tab pings every 10 s and is marked; shown again, it measures the clock again; reloaded, it connects after 1 s',
  { tag: '@long' },
  async ({ owner: { page }, room }) => {
    const probes = recordProbes(page)
    const readMark = () => page.evaluate(() => sessionStorage.getItem('inactiveSince:v1'))
    const clock = await pausePageClock(page)
    await page.goto(room.path)
    await clock.advanceUntil(() => nowPlaying(page).isVisible(), 10_000)
    await clock.advanceUntil(() => probes.length > burst, 10_000)
    expect(await readMark()).toBeNull()

    const hiddenAtMs = await page.evaluate(() => performance.timeOrigin + performance.now())
    await setHidden(page, true)
    expect(Number(await readMark())).toBeGreaterThanOrEqual(hiddenAtMs)
    probes.length = 0
    await clock.advanceUntil(() => probes.length === 2, 25_000, 500)
    const [firstMs = 0, secondMs = 0] = probes
    expect(secondMs - firstMs).toBeGreaterThan(9_900)
    expect(secondMs - firstMs).toBeLessThan(10_500)

    probes.length = 0
    await setHidden(page, false)
    expect(await readMark()).toBeNull()
    await clock.advanceUntil(() => probes.length >= burst, 5_000)

    await setHidden(page, true)
    let socketsOpened = 0
    page.on('websocket', () => (socketsOpened += 1))
    await page.reload()
    // The room's code has run, so that only the pause takes page time.
    await page.waitForLoadState('networkidle')
    const loadedAtMs = clock.elapsedMs
    await clock.advanceUntil(() => socketsOpened > 0, 5_000)
    // Other pages connect within some milliseconds.
    expect(clock.elapsedMs - loadedAtMs).toBeGreaterThanOrEqual(900)
    expect(clock.elapsedMs - loadedAtMs).toBeLessThan(2_000)
  },
)

import type { Page } from '@playwright/test'
import { readDrawingMs } from '../support/drawing-time.ts'
import { expect, test } from '../support/fixtures.ts'
import { addFirstTracks, press, waitUntilInSync } from '../support/room-page.ts'

const seconds = 8

/** Stops drawing the page, and goes on. */
async function showPage(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate((shown) => {
    document.documentElement.style.display = shown ? '' : 'none'
  }, isShown)
  await page.waitForTimeout(1_000)
}

test('17.6, 17.101 a playing room costs at most a layout a second and 8 % of a core, a paused one next to nothing', async ({
  owner: { page, context },
  room,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(room.path)
  await addFirstTracks(page, 4)
  await press(page, 'Play')
  await waitUntilInSync(page)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const readLayouts = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? 0
  }
  /** Layouts a second, and the processor time in percent of a core: both over some seconds. */
  const measure = async () => {
    const before = { layouts: await readLayouts(), spentMs: readDrawingMs(), atMs: performance.now() }
    await page.waitForTimeout(seconds * 1_000)
    const spentMs = readDrawingMs() - before.spentMs
    const tookMs = performance.now() - before.atMs
    return {
      layouts: (((await readLayouts()) - before.layouts) * 1_000) / tookMs,
      percent: (100 * spentMs) / tookMs,
    }
  }
  /** As `measure`, without what the page does when nothing of it is drawn: following the room, and decoding. */
  const measureDrawing = async () => {
    const { layouts, percent } = await measure()
    await showPage(page, false)
    const unseen = await measure()
    await showPage(page, true)
    return { layouts, percent: percent - unseen.percent }
  }
  /** The lower of two: on a busy machine the figure of the sync badge changes, which is a layout of its own. */
  const measureTwice = async () => {
    const [once, again] = [await measureDrawing(), await measureDrawing()]
    return {
      layouts: Math.min(once.layouts, again.layouts),
      percent: Math.min(once.percent, again.percent),
    }
  }
  // The notices about the track and the sync come and go first.
  await page.waitForTimeout(6_000)
  const playing = await measureTwice()
  await press(page, 'Pause')
  await page.waitForTimeout(6_000)
  const paused = await measureTwice()
  test.info().annotations.push({ type: 'cost', description: JSON.stringify({ playing, paused }) })
  expect(playing.layouts).toBeLessThanOrEqual(1.2)
  expect(paused.layouts).toBeLessThanOrEqual(1 / seconds)
  expect(playing.percent).toBeLessThanOrEqual(8)
  expect(paused.percent).toBeLessThan(0.5)
})

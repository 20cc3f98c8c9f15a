import type { Locator, Page } from '@playwright/test'
import { readDrawingMs } from './drawing-time.ts'
import { expect, test } from './fixtures.ts'
import { scrollAndCount } from './frames.ts'
import { addFirstTracks, openTab, press, region, waitUntilInSync } from './room-page.ts'
import { addTracks, fillQueue } from './rooms.ts'

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

const attempts = 4
const turns = 25
/** Of the frames that a plain page draws meanwhile on the same machine: 60 a second, unless it is busy. */
const leastShare = 0.9

/** Opens a page of plain lines that scrolls as far as a long list. */
async function openPlainPage(page: Page): Promise<Page> {
  const plain = await page.context().newPage()
  await plain.setContent(
    `<main style="font: 16px/40px sans-serif">${'<div>A plain line</div>'.repeat(2_000)}</main>`,
  )
  return plain
}

/** Expects a list to draw as many frames as a plain page while it is scrolled: in turns with it, the best of each. */
async function expectSmooth(page: Page, list: Locator, name: string): Promise<void> {
  const plain = await openPlainPage(page)
  const shares: { own: number; plain: number }[] = []
  const shareOf = async (shown: Page, over: Locator, signed: number) => {
    await shown.bringToFront()
    const { drawn, due } = await scrollAndCount(shown, over, signed)
    return drawn / due
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const signed = attempt % 2 === 0 ? turns : -turns
    const ofPlain = await shareOf(plain, plain.locator('main'), signed)
    shares.push({ plain: ofPlain, own: await shareOf(page, list, signed) })
  }
  await plain.close()
  test.info().annotations.push({ type: `frames of ${name}`, description: JSON.stringify(shares) })
  const best = (of: 'own' | 'plain') => Math.max(...shares.map((share) => share[of]))
  expect(best('own'), `${name}: ${JSON.stringify(shares)}`).toBeGreaterThan(
    leastShare * Math.min(1, best('plain')),
  )
}

test('17.104 a queue of 1,000 entries scrolls at 60 frames', async ({ app, owner, room }) => {
  const { page, context } = owner
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(room.path)
  await expect(region(page, 'Queue').or(region(page, 'Find Music'))).toBeVisible()
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await fillQueue(app, context, room.id, 985)
  await page.reload()
  await openTab(page, 'Queue')
  const queue = region(page, 'Queue').getByRole('list')
  await expect(region(page, 'Queue').getByText(/^985 tracks/)).toBeVisible()
  await expectSmooth(page, queue, 'queue')
  expect(await queue.getByRole('listitem').count()).toBeLessThan(40)
})

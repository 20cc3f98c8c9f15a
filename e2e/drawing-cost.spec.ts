import type { Locator, Page } from '@playwright/test'
import { readDrawingMs } from './drawing-time.ts'
import { expect, test } from './fixtures.ts'
import { scrollAndCount } from './frames.ts'
import { copyRoom, storeMessages } from './long-lists.ts'
import { addFirstTracks, openTab, press, region, waitUntilInSync } from './room-page.ts'
import { addTracks, createRoom, fillQueue } from './rooms.ts'

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

const attempts = 3
const turns = 25
/** The share of the frames of a 60 Hz screen that scrolling draws. */
const leastShare = 0.9

/** Expects scrolling by the wheel to draw at 60 Hz. The best of some attempts: a busy machine drops frames. */
async function expectSmooth(page: Page, list: Locator, name: string): Promise<void> {
  const shares: number[] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { drawn, due } = await scrollAndCount(page, list, attempt % 2 === 0 ? turns : -turns)
    shares.push(drawn / due)
  }
  test
    .info()
    .annotations.push({ type: name, description: shares.map((share) => share.toFixed(2)).join(', ') })
  expect(Math.max(...shares), name).toBeGreaterThan(leastShare)
}

test('17.104 1,000 rooms scroll at 60 frames, and those out of sight are not drawn', async ({
  app,
  owner,
  page,
}) => {
  await copyRoom(app, await createRoom(app, owner.context, { name: 'First' }), 1_000)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const cards = region(page, 'Available Rooms').getByRole('listitem')
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      return cards.count()
    })
    .toBeGreaterThan(1_000)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectSmooth(page, page.getByRole('main'), 'rooms')
  const drawn = await cards.evaluateAll(
    (all) =>
      all.filter((each) => each.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })).length,
  )
  expect(drawn).toBeLessThan(100)
})

test('17.104 1,000 queue entries and 1,500 messages scroll at 60 frames', async ({ app, owner, room }) => {
  const { page, context } = owner
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(room.path)
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await fillQueue(app, context, room.id, 985)
  storeMessages(app.dataDir, room.id, 1_500)
  await page.reload()
  await openTab(page, 'Queue')
  const queue = region(page, 'Queue').getByRole('list')
  await expect(region(page, 'Queue').getByText(/^985 tracks/)).toBeVisible()
  await expectSmooth(page, queue, 'queue')
  expect(await queue.getByRole('listitem').count()).toBeLessThan(40)

  await openTab(page, 'Chat')
  const log = region(page, 'Chat').getByRole('log')
  await expect(log.getByText('message 1499')).toBeVisible()
  await expect
    .poll(async () => {
      await log.evaluate((view) => (view.scrollTop = 0))
      return log.getByRole('listitem').count()
    })
    .toBeGreaterThan(1_400)
  await expectSmooth(page, log, 'messages')
})

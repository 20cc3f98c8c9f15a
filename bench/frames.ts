import { startApp, type App } from '@earshot/e2e/support/app'
import { signIn } from '@earshot/e2e/support/accounts'
import { openBrowser, type Browser } from '@earshot/e2e/support/browser'
import { readDrawingMs } from '@earshot/e2e/support/drawing-time'
import { hideSplash } from '@earshot/e2e/support/fixtures'
import { openTab, region } from '@earshot/e2e/support/room-page'
import { copyRoom, createRoom, fillQueue } from '@earshot/e2e/support/rooms'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { newSortableId } from '../server/src/ids.ts'
import { withDefer } from './defer.ts'
import type { Figure, Log, Measurement } from './measurement.ts'

const counts = { rooms: 1_000, messages: 1_500, entries: 1_000 }
/** As a finger flings a list: 40 px a frame at 60 frames a second. */
const scroll = { distancePx: 9_600, pxPerS: 2_400 }
const rounds = 3
const framesPerS = 60
const goals = { missedPercent: 10 }
/** Drawing is read from all processes of the browser: what they do before and after scrolling is not counted. */
const settleMs = 1_500

/** Measures how long lists keep up with the screen while they are scrolled. */
export const frames: Measurement = {
  name: 'frames',
  title: `Frames missed while lists are scrolled by ${scroll.pxPerS} px a second, and what drawing takes`,
  baseline: 'a page of 2,000 plain lines, scrolled in turns with the list',
  measure: (log) =>
    withDefer(async (defer) => {
      const app = await startApp()
      defer(() => app.stop())
      const browser = await openBrowser()
      defer(() => browser.close())
      const { page } = browser
      await hideSplash(browser.context)
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      const roomId = await fill(app, browser)
      const figures: Figure[] = []
      for (const list of lists)
        figures.push(...(await measureList({ page, url: app.url, roomId }, list, log)))
      return figures
    }),
}

/** Signs the owner of all rooms in, and stores what the lists show. Resolves to the room with the queue and the chat. */
async function fill(app: App, { context }: Browser): Promise<string> {
  await signIn(app, context, 'owner')
  const roomId = await createRoom(app, context, { name: 'Bench' })
  // The first of them becomes the current track.
  await fillQueue(app, context, roomId, counts.entries)
  const db = await app.database()
  const { owner_id: userId } = await db
    .selectFrom('rooms')
    .select('owner_id')
    .where('id', '=', roomId)
    .executeTakeFirstOrThrow()
  const nowMs = Date.now()
  const messages = Array.from({ length: counts.messages }, (_, index) => {
    const created_at = nowMs - (counts.messages - index) * 60_000
    const content = `Message ${index}: ${'how this one goes on and on, '.repeat(index % 4)}that is all`
    return { id: newSortableId(created_at), room_id: roomId, user_id: userId, content, created_at }
  })
  while (messages.length > 0) await db.insertInto('messages').values(messages.splice(0, 100)).execute()
  await copyRoom(app, roomId, counts.rooms)
  const tracks = await db.selectFrom('tracks').select('id').limit(10).execute()
  for (const [digit, { id }] of tracks.entries()) {
    const copies = db.updateTable('rooms').set({ current_track_id: id })
    await copies.where('id', 'like', `${roomId}-%${digit}`).execute()
  }
  return roomId
}

interface Scene {
  page: Page
  url: string
  roomId: string
}

interface List {
  name: string
  /** Opens the list; resolves to what is scrolled, at the place where scrolling starts. */
  open(scene: Scene): Promise<Locator>
  /** Whether scrolling starts at the end. */
  isFromEnd?: boolean
}

const lists: List[] = [
  {
    name: `${counts.rooms} rooms`,
    open: async ({ page, url }) => {
      await page.goto(`${url}/explore`)
      const rooms = page.getByRole('button', { name: /^Join Room/ })
      while ((await rooms.count()) < counts.rooms) {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        await page.waitForTimeout(100)
      }
      await page.evaluate(() => scrollTo(0, 0))
      return page.locator('body')
    },
  },
  {
    name: `${counts.entries} entries`,
    open: async ({ page, url, roomId }) => {
      await page.goto(`${url}/room/${roomId}`)
      await openTab(page, 'Queue')
      await region(page, 'Queue')
        .getByText(/^\d+ tracks/)
        .waitFor()
      return region(page, 'Queue').getByRole('list')
    },
  },
  {
    name: `${counts.messages} messages`,
    isFromEnd: true,
    open: async ({ page }) => {
      await openTab(page, 'Chat')
      await region(page, 'Chat')
        .getByText(`Message ${counts.messages - 1}:`)
        .waitFor()
      return page.getByRole('log')
    },
  },
]

interface Scrolled {
  /** Frames drawn, those of a screen with 60 Hz in the same time, and the longest time between two. */
  drawn: number
  due: number
  longestMs: number
  /** Processor time of all that draws. */
  drawingMs: number
}

async function measureList(scene: Scene, list: List, log: Log): Promise<Figure[]> {
  const { page } = scene
  const listed = await list.open(scene)
  const plain = await openPlainPage(page)
  const own: Scrolled[] = []
  const base: Scrolled[] = []
  for (let round = 0; round < rounds; round += 1) {
    const direction = (round % 2 === 0) === (list.isFromEnd === true) ? 1 : -1
    base.push(await scrollAndCount(plain, plain.locator('body'), round % 2 === 0 ? -1 : 1))
    own.push(await scrollAndCount(page, listed, direction))
    log(`${list.name}: ${describe(own.at(-1))}; plain: ${describe(base.at(-1))}`)
  }
  await plain.close()
  return toFigures(list.name, own, base)
}

/** Opens a page of plain lines that scrolls as far as a long list. */
async function openPlainPage(page: Page): Promise<Page> {
  const plain = await page.context().newPage()
  await plain.setContent(
    `<main style="font: 16px/40px sans-serif">${'<div>A plain line</div>'.repeat(2_000)}</main>`,
  )
  return plain
}

/** Scrolls as a wheel does, evenly, and counts the frames that the page draws meanwhile. `direction`: 1 is up. */
async function scrollAndCount(page: Page, over: Locator, direction: 1 | -1): Promise<Scrolled> {
  await page.bringToFront()
  await page.waitForTimeout(settleMs)
  const session = await page.context().newCDPSession(page)
  const place = await findMiddle(page, over)
  await page.evaluate(startCounting)
  const spentMs = readDrawingMs()
  await synthesise(session, place, direction)
  const drawingMs = readDrawingMs() - spentMs
  const times = await page.evaluate(() => (globalThis as unknown as { frameTimes: number[] }).frameTimes)
  await session.detach()
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))
  const tookMs = gaps.reduce((sum, gap) => sum + gap, 0)
  return {
    drawn: gaps.length,
    due: (tookMs * framesPerS) / 1_000,
    longestMs: Math.max(...gaps),
    drawingMs,
  }
}

/** Resolves to a point of the element that is in sight. */
async function findMiddle(page: Page, over: Locator): Promise<{ x: number; y: number }> {
  const box = await over.boundingBox()
  const view = page.viewportSize()
  if (!box || !view) throw new Error('What is scrolled is not in sight')
  const [top, bottom] = [Math.max(0, box.y), Math.min(view.height, box.y + box.height)]
  return { x: box.x + box.width / 2, y: (top + bottom) / 2 }
}

/** Runs in the page. */
function startCounting(): void {
  const times: number[] = []
  const note = (atMs: number): void => {
    times.push(atMs)
    if (Reflect.get(globalThis, 'frameTimes') === times) requestAnimationFrame(note)
  }
  Object.assign(globalThis, { frameTimes: times })
  requestAnimationFrame(note)
}

const synthesise = (session: CDPSession, place: { x: number; y: number }, direction: 1 | -1) =>
  session.send('Input.synthesizeScrollGesture', {
    ...place,
    yDistance: direction * scroll.distancePx,
    speed: scroll.pxPerS,
    preventFling: true,
    gestureSourceType: 'mouse',
  })

const missedPercent = ({ drawn, due }: Pick<Scrolled, 'drawn' | 'due'>): number =>
  Math.max(0, 100 * (1 - drawn / due))

const describe = (scrolled: Scrolled | undefined): string =>
  scrolled
    ? `${missedPercent(scrolled).toFixed(0)} % missed, at most ${scrolled.longestMs.toFixed(0)} ms, ${scrolled.drawingMs.toFixed(0)} ms drawing`
    : ''

function toFigures(name: string, own: Scrolled[], base: Scrolled[]): Figure[] {
  const sum = (of: Scrolled[], pick: (scrolled: Scrolled) => number) =>
    of.reduce((total, scrolled) => total + pick(scrolled), 0)
  const missed = (of: Scrolled[]) =>
    missedPercent({ drawn: sum(of, ({ drawn }) => drawn), due: sum(of, ({ due }) => due) })
  const drawing = (of: Scrolled[]) => sum(of, ({ drawingMs }) => drawingMs) / of.length
  const longest = (of: Scrolled[]) => Math.max(...of.map(({ longestMs }) => longestMs))
  return [
    {
      name: `${name}, frames missed`,
      unit: '%',
      value: missed(own),
      baseline: missed(base),
      goal: goals.missedPercent,
    },
    { name: `${name}, longest frame`, unit: 'ms', value: longest(own), baseline: longest(base) },
    {
      name: `${name}, drawing ${scroll.distancePx} px`,
      unit: 'ms',
      value: drawing(own),
      baseline: drawing(base),
    },
  ]
}

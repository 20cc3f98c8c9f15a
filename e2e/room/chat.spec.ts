import type { Page, Route, WebSocketRoute } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { interposeEvents } from '../support/page-events.ts'
import { openRoom, openTab, region } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { storeMessages } from '../support/stored-messages.ts'

const log = (page: Page) => region(page, 'Chat').getByRole('log')
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })

async function openChat(page: Page, url: string, roomId: string): Promise<void> {
  await openRoom(page, url, roomId)
  await openTab(page, 'Chat')
}

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** The message in the middle of the list, and where it is on the screen. */
const readPlace = (page: Page) =>
  log(page).evaluate((view) => {
    const { top, height } = view.getBoundingClientRect()
    const items = [...view.querySelectorAll('li')]
    const messages = items.filter((each) => each.querySelector('[dir="auto"]'))
    const item = messages.find((each) => each.getBoundingClientRect().bottom > top + height / 2)
    const text = item?.querySelector('[dir="auto"]')?.textContent ?? ''
    return { text, y: item?.getBoundingClientRect().top ?? 0, count: items.length }
  })

test('17.52, 17.53 older messages load while the reader stays in place, and new ones are counted', async ({
  app,
  owner: { page },
  listener,
  room,
}) => {
  storeMessages(app.dataDir, room.id, 1_500)
  await openChat(page, app.url, room.id)
  await expect(log(page).getByText('message 1499')).toBeVisible()
  expect((await readPlace(page)).count).toBeLessThan(100)

  // Each answer arrives while the reader rests: what is read must not move.
  const held: Route[] = []
  const hold = (route: Route) => void held.push(route)
  await page.route('**/messages?before=*', hold)
  for (let load = 0; load < 3; load += 1) {
    const { count } = await readPlace(page)
    await log(page).evaluate((view) => (view.scrollTop = 0))
    await expect(page.getByText('Loading older messages...')).toBeVisible()
    await expect.poll(() => held.length).toBe(1)
    const before = await readPlace(page)
    await held.shift()?.continue()
    await expect.poll(async () => (await readPlace(page)).count).toBeGreaterThan(count)
    const after = await readPlace(page)
    expect(after.text).toBe(before.text)
    expect(Math.abs(after.y - before.y)).toBeLessThan(2)
  }
  await page.unroute('**/messages?before=*', hold)
  for (const route of held) await route.continue()

  const reading = await readPlace(page)
  await openChat(listener.page, app.url, room.id)
  await send(listener.page, 'are you there?')
  await page.getByRole('button', { name: '1 new message' }).waitFor()
  expect(await readPlace(page)).toMatchObject({ text: reading.text })
  await page.getByRole('button', { name: '1 new message' }).click()
  await expect(log(page).getByText('are you there?')).toBeInViewport()
  await expect(page.getByRole('button', { name: /new message|Latest/ })).toHaveCount(0)
  expect((await readPlace(page)).count).toBeLessThan(200)
})

/** A wide one, an upright tablet, 200 % zoom, phones on their side and upright. */
const screens = [
  [1280, 720],
  [768, 1100],
  [640, 360],
  [844, 390],
  [320, 568],
  [390, 844],
] as const

test('17.53 on a phone a message is unread while the chat is scrolled off the screen', async ({
  app,
  owner: { page },
  listener,
  room,
}) => {
  await openChat(listener.page, app.url, room.id)
  await openChat(page, app.url, room.id)
  const tab = page.getByRole('tab', { name: 'Chat' })
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    await tab.click()
    await send(listener.page, `read at ${width} x ${height}`)
    await expect(log(page).getByText(`read at ${width} x ${height}`)).toBeInViewport()
    await expect(page).not.toHaveTitle(/^\(/)
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  await send(listener.page, 'are you there?')
  await expect(tab).toHaveAccessibleName(/1 unread/)
  await expect(page).toHaveTitle(/^\(1\) /)
  await tab.click()
  await expect(log(page).getByText('are you there?')).toBeInViewport()
  await expect(page).not.toHaveTitle(/^\(/)
})

/** Lets a test cut a page off from the realtime server, and connect it again. */
async function cutConnections(page: Page): Promise<(isCut: boolean) => void> {
  let isCut = false
  const open = new Set<WebSocketRoute>()
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (isCut) return void socket.close()
    const server = socket.connectToServer()
    open.add(socket)
    // The server gets the message; its answer is lost with the connection.
    server.onMessage((message) => {
      if (!isCut) socket.send(message)
    })
  })
  await page.route('**/socket.io/**', (route) => (isCut ? route.abort() : route.fallback()))
  return (next) => {
    isCut = next
    if (isCut) for (const socket of open) void socket.close()
  }
}

test('17.51, 17.54, 17.59 a message written offline shows at once, survives a reload and is sent once', async ({
  owner,
  listener,
  app,
  room,
}) => {
  const { page } = owner
  await openChat(listener.page, app.url, room.id)
  const setCut = await cutConnections(page)
  await openChat(page, app.url, room.id)
  await send(page, 'before')
  await expect(log(listener.page).getByText('before')).toBeVisible()
  // What comes later shows that the first message is known to be sent.
  await send(listener.page, 'after')
  await expect(log(page).getByText('after')).toBeVisible()
  setCut(true)
  await send(page, 'written offline')
  await expect(log(page).getByText('Will be sent when you are connected again.')).toBeVisible()
  await field(page).fill('half a thought')
  await page.reload()
  await openTab(page, 'Chat')
  await expect(log(page).getByText('written offline')).toBeVisible()
  await expect(field(page)).toHaveValue('half a thought')
  setCut(false)
  await expect(log(listener.page).getByText('written offline')).toHaveCount(1)
  await expect(log(page).getByText(/Will be sent|Sending/)).toHaveCount(0)
  await expect(log(page).getByText('written offline')).toHaveCount(1)
})

test('17.59, 17.404 turning a phone moves neither the chat nor an open popover away; the field stays above the keyboard and grows to five lines', async ({
  owner: { page, context },
  app,
  room,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  storeMessages(app.dataDir, room.id, 60)
  await openChat(page, app.url, room.id)
  // The badge, which opens the popover, is there with a track.
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await expect(log(page).getByText('message 59')).toBeVisible()
  await log(page).evaluate((view) => (view.scrollTop = view.scrollHeight / 2))
  await field(page).fill('half a thought')
  await page.getByRole('button', { name: /^Your sync/ }).click()
  const popover = page.getByRole('dialog', { name: 'Sync' })
  await expect(popover).toBeInViewport({ ratio: 1 })
  const { text } = await readPlace(page)
  for (const [width, height] of [
    [844, 390],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(popover).toBeInViewport({ ratio: 1 })
    await expect(field(page)).toBeInViewport({ ratio: 1 })
    await expect(field(page)).toHaveValue('half a thought')
    await expect(log(page).getByText(text.trim(), { exact: true })).toBeInViewport({ ratio: 0.5 })
  }
  await page.keyboard.press('Escape')
  await expect(popover).toBeHidden()

  const height = async () => (await field(page).boundingBox())?.height ?? 0
  await field(page).fill('one line')
  const oneLine = await height()
  await field(page).fill(Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n'))
  await expect.poll(height).toBeGreaterThan(oneLine + 70)
  expect(await height()).toBeLessThan(oneLine + 100)

  await field(page).focus()
  await page.evaluate(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    Object.defineProperty(viewport, 'height', { get: () => 500 })
    viewport.dispatchEvent(new Event('resize'))
  })
  const bottom = async () => {
    const box = await field(page).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  await expect.poll(bottom).toBeLessThanOrEqual(500)
  await field(page).blur()
  await expect.poll(bottom).toBeGreaterThan(500)
})

/** What a page noted of the reactions on it: when some appeared, and how many there were at once. */
interface Rising {
  seenAtMs: number[]
  most: number
}

test('17.58a, 17.58c reactions rise on all pages at the same time, few at once, and none with reduced motion', async ({
  owner,
  listener,
  app,
  room,
}) => {
  const pages = [owner.page, listener.page]
  for (const page of pages) await page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const page of pages) {
    await page.addInitScript(() => {
      const rising: Rising = { seenAtMs: [], most: 0 }
      Object.assign(globalThis, { rising })
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
        if (!added.some((node) => node instanceof HTMLElement && node.dataset['reaction'])) return
        rising.seenAtMs.push(Date.now())
        rising.most = Math.max(rising.most, document.querySelectorAll('[data-reaction]').length)
      }).observe(document, { childList: true, subtree: true })
    })
  }
  let announcedAtMs = Infinity
  listener.page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const atMs = /\["reactions",.*"at":(\d+)/.exec(String(payload))?.[1]
      if (atMs !== undefined) announcedAtMs = Number(atMs)
    }),
  )
  const sendEvent = await interposeEvents(owner.page)
  for (const page of pages) await openRoom(page, app.url, room.id)
  const readRising = (page: Page) => page.evaluate(() => (globalThis as unknown as { rising: Rising }).rising)
  const forget = (page: Page) =>
    page.evaluate(() => Object.assign((globalThis as unknown as { rising: Rising }).rising, { seenAtMs: [] }))
  const readSeen = async (page: Page) => {
    const seen = async () => (await readRising(page)).seenAtMs[0] ?? 0
    await expect.poll(seen, { timeout: 5_000 }).toBeGreaterThan(0)
    return await seen()
  }
  // Both wait for the announced instant, by their own clocks. Pages that are a second late show none: then once more.
  const tolerantMs = 100
  await expect(async () => {
    announcedAtMs = Infinity
    await Promise.all(pages.map(forget))
    await owner.page.keyboard.press('2')
    const shownAtMs = await Promise.all(pages.map(readSeen))
    expect(Math.min(...shownAtMs)).toBeGreaterThan(announcedAtMs - tolerantMs)
  }).toPass()

  const { page } = owner
  const drawn = page.locator('[data-reaction]')
  // The page shows none that is a second late: then they are sent once more.
  const soon = () => page.evaluate(() => Date.now() + 2_500)
  const items = ['love', 'fire', 'party', 'laugh', 'wow', 'thumbs_up', 'unknown'].map((kind) => ({
    kind,
    count: 1_000,
  }))
  // Counted by the page: they are gone before a busy machine looks.
  const readMost = async () => (await readRising(page)).most
  await expect(async () => {
    const at = await soon()
    for (let batch = 0; batch < 5; batch += 1) sendEvent('reactions', { roomId: room.id, at, items })
    await expect.poll(readMost, { timeout: 6_000 }).toBe(20)
  }).toPass()
  await expect(drawn).toHaveCount(0)
  expect(await readMost()).toBe(20)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(async () => {
    sendEvent('reactions', { roomId: room.id, at: await soon(), items: [{ kind: 'love', count: 7 }] })
    await expect(page.getByRole('button', { name: 'Love it' })).toContainText('7', { timeout: 6_000 })
  }).toPass()
  await expect(drawn).toHaveCount(0)
})

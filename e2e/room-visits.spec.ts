import { expect, test, type Page, type WebSocket } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { makeNoiseFolder, openEars, press, region, stage, type Ears } from './sound/recorder.ts'
import { addTracks, createRoom, makePerson, signUp } from './rooms.ts'
import { expectOnTimeline, openRoom, readPlayback, readRoom, readShown, waitUntilInSync } from './room-page.ts'

// Each test goes on where the one before it left the page.
test.describe.configure({ mode: 'serial' })

let app: App
let ears: Ears
let visitor: Browser
let loudRoom: string
let quietRoom: string
const noise = makeNoiseFolder([{ title: 'Constant', seconds: 150 }])

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path })
  ears = await openEars(1)
  visitor = await openBrowser({ sound: ears.environment(0) })
  await signUp(app, visitor.context, makePerson('vera'))
  loudRoom = await createRoom(app, visitor.context, { name: 'Loud Room' })
  quietRoom = await createRoom(app, visitor.context, { name: 'Quiet Room' })
})
test.afterAll(async () => {
  await visitor.close()
  await ears.stop()
  await app.stop()
  noise.remove()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const loading = (page: Page) => page.getByText('Loading room...').first()
const leave = (page: Page) => page.getByRole('link', { name: 'Home', exact: true }).click()

async function enter(page: Page, name: string): Promise<void> {
  const card = region(page, 'Available Rooms').getByRole('listitem').filter({ hasText: name })
  await card.getByRole('button', { name: /Join Room/ }).click()
  await expect(heading(page, name)).toBeVisible()
}

/** The connections that a page holds from now on. */
function trackSockets(page: Page): Set<WebSocket> {
  const open = new Set<WebSocket>()
  page.on('websocket', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return open
}

/** Keeps the server from a page's connections until the returned function is called. */
async function holdConnections(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.routeWebSocket(/\/socket\.io\//, async (socket) => {
    await gate.promise
    socket.connectToServer()
  })
  return () => gate.resolve()
}

test('2.7, 4.9a from room to room in one page: the old one falls silent and is left, the new one is joined', async () => {
  const { page } = visitor
  const sockets = trackSockets(page)
  const countListeners = () =>
    Promise.all([loudRoom, quietRoom].map(async (id) => (await readRoom(app, id)).listeners))
  await openRoom(page, app.url, quietRoom)
  await leave(page)
  await enter(page, 'Loud Room')
  await addTracks(app, visitor.context, loudRoom, ['Constant'])
  await press(page, 'Play')
  await waitUntilInSync(page)
  expect((await ears.listen(1_000)).loudness(0)).toBeGreaterThan(0.01)

  // Two steps back at once: past the list of rooms, without a page load.
  await page.evaluate(() => history.go(-2))
  await expect(heading(page, 'Quiet Room')).toBeVisible()
  await expect(page.getByText('No track playing')).toBeVisible()
  await expect(stage(page).getByText('Constant')).toHaveCount(0)
  expect((await ears.listen(1_200)).loudness(0, 700)).toBeLessThan(0.001)
  await expect.poll(() => sockets.size).toBe(1)
  await expect.poll(countListeners).toEqual([0, 1])

  await page.evaluate(() => history.go(2))
  await expect(heading(page, 'Loud Room')).toBeVisible()
  await waitUntilInSync(page)
  expectOnTimeline(await readShown(page), 'Constant', await readPlayback(app, loudRoom))
  await expect.poll(() => sockets.size).toBe(1)
  await expect.poll(countListeners).toEqual([1, 0])
})

test('4.10b, 9.6 a reload shows the room at once, before the server has answered', async () => {
  const { page } = visitor
  const before = await readPlayback(app, loudRoom)
  const admit = await holdConnections(page)
  await page.reload()
  await expect(heading(page, 'Loud Room')).toBeVisible()
  await expect(stage(page).getByRole('heading', { name: 'Constant' })).toBeVisible()
  await expect(loading(page)).toBeHidden()
  await expect(page.getByText('Connection lost. Reconnecting...')).toBeVisible()
  expectOnTimeline(await readShown(page), 'Constant', before)
  admit()
  await waitUntilInSync(page)
  await expect(page.getByText('Connection lost. Reconnecting...')).toBeHidden()
})

test('4.9b who leaves on purpose leaves no copy behind, and waits for the server the next time', async () => {
  const { page } = visitor
  const readCopy = () => page.evaluate((key) => sessionStorage.getItem(key), `room:${loudRoom}`)
  expect(await readCopy()).not.toBeNull()
  await leave(page)
  await expect(region(page, 'Available Rooms')).toBeVisible()
  await expect.poll(readCopy).toBeNull()
  const admit = await holdConnections(page)
  await page.goBack()
  await expect(loading(page)).toBeVisible()
  await expect(heading(page, 'Loud Room')).toBeHidden()
  admit()
  await expect(heading(page, 'Loud Room')).toBeVisible()
})

test('4.10b, 9.6 a copy that is 60 s old is not shown any more', async () => {
  const { page } = visitor
  await page.addInitScript((key) => {
    const copy = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    sessionStorage.setItem(key, JSON.stringify({ ...copy, savedAtMs: copy.savedAtMs - 60_000 }))
  }, `room:${loudRoom}`)
  const admit = await holdConnections(page)
  await page.reload()
  await expect(loading(page)).toBeVisible()
  await expect(heading(page, 'Loud Room')).toBeHidden()
  admit()
  await expect(heading(page, 'Loud Room')).toBeVisible()
})

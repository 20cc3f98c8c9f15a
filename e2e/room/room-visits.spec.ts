import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import {
  expectOnTimeline,
  leaveRoom,
  nowPlaying,
  openRoom,
  press,
  readShownPlayback,
  region,
  waitUntilInSync,
} from '../support/room-page.ts'
import { addTracks, readPlayback } from '../support/rooms.ts'

const title = 'Neon Harbour'

test.beforeEach(async ({ app, owner, room }) => {
  await openRoom(owner.page, app.url, room.id)
  // Several times: on a busy machine a test outlasts a track.
  await addTracks(app, owner.context, room.id, [title, title, title, title])
})

/** Delays a page's realtime messages by `ms` each way. Resolves with when the page gets its first clock sample. */
async function delayMessages(page: Page, ms: number): Promise<{ firstSample: Promise<number> }> {
  const firstSample = Promise.withResolvers<number>()
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => void setTimeout(() => server.send(message), ms))
    server.onMessage((message) => {
      setTimeout(() => {
        if (String(message).includes('receivedAtMs')) firstSample.resolve(Date.now())
        socket.send(message)
      }, ms)
    })
  })
  return { firstSample: firstSample.promise }
}

/** Notes when the page first starts a sound, which it may do ahead of time. */
const noteFirstSound = (page: Page) =>
  page.addInitScript(() => {
    type Start = (this: AudioBufferSourceNode, ...args: number[]) => void
    const start = Reflect.get(AudioBufferSourceNode.prototype, 'start') as Start
    AudioBufferSourceNode.prototype.start = function (...args: number[]) {
      document.documentElement.dataset.firstSoundAtMs ??= String(Date.now())
      start.apply(this, args)
    }
  })

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const loading = (page: Page) => page.getByText('Loading room...').first()

/**
 * Takes over a page's connections from its next load on. Those that it opens after `hold` reach the server once `admit` is
 * called.
 */
async function interposeConnections(page: Page): Promise<{ hold: () => void; admit: () => void }> {
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  await page.routeWebSocket(/\/socket\.io\//, async (socket) => {
    await gate.promise
    socket.connectToServer()
  })
  // What the page tries when a WebSocket takes too long.
  await page.route(/\/socket\.io\/.*transport=polling/, async (route) => {
    await gate.promise
    await route.continue()
  })
  const hold = () => {
    gate = Promise.withResolvers<void>()
  }
  return { hold, admit: () => gate.resolve() }
}

test('4.10b, 9.6 a reload shows the room at once, before the server has answered', async ({
  app,
  owner: { page },
  room,
}) => {
  await press(page, 'Play')
  await waitUntilInSync(page)
  const before = await readPlayback(app, room.id)
  const { hold, admit } = await interposeConnections(page)
  hold()
  await page.reload()
  await expect(heading(page, room.name)).toBeVisible()
  await expect(nowPlaying(page).getByRole('heading', { name: title })).toBeVisible()
  await expect(loading(page)).toBeHidden()
  await expect(page.getByText('Connection lost. Reconnecting...')).toBeVisible()
  await expect(async () => expectOnTimeline(await readShownPlayback(page), title, before)).toPass({
    timeout: 30_000,
  })
  admit()
  await waitUntilInSync(page)
  await expect(page.getByText('Connection lost. Reconnecting...')).toBeHidden()
})

test('11.1a, 11.1c after a reload over 600 ms of round trip nothing sounds before the clock is measured', async ({
  owner: { page },
}) => {
  await press(page, 'Play')
  await waitUntilInSync(page)
  await noteFirstSound(page)
  const { firstSample } = await delayMessages(page, 300)
  await page.reload()
  const firstSampleAtMs = await firstSample
  // Before the badge says "In sync": on a busy machine with this delay its clock settles for minutes.
  const readFirstSound = () =>
    page.evaluate(() => Number(document.documentElement.dataset.firstSoundAtMs ?? 0))
  await expect.poll(readFirstSound, { timeout: 60_000 }).toBeGreaterThan(0)
  expect(await readFirstSound()).toBeGreaterThan(firstSampleAtMs)
})

test('4.9b leaving on purpose removes the copy, and the next visit waits for the server', async ({
  owner: { page },
  room,
}) => {
  const readCopy = () => page.evaluate((key) => sessionStorage.getItem(key), `room:v1:${room.id}`)
  const { hold, admit } = await interposeConnections(page)
  await page.reload()
  await expect(heading(page, room.name)).toBeVisible()
  expect(await readCopy()).not.toBeNull()
  await leaveRoom(page)
  await expect(region(page, 'Available Rooms')).toBeVisible()
  await expect.poll(readCopy).toBeNull()
  hold()
  await page.goBack()
  await expect(loading(page)).toBeVisible()
  await expect(heading(page, room.name)).toBeHidden()
  admit()
  await expect(heading(page, room.name)).toBeVisible()
})

test(
  '4.10b, 9.6 a copy that is 60 s old is not shown',
  { tag: '@long' },
  async ({ owner: { page }, room }) => {
    await page.addInitScript((key) => {
      const copy = JSON.parse(sessionStorage.getItem(key) ?? '{}')
      sessionStorage.setItem(key, JSON.stringify({ ...copy, savedAtMs: copy.savedAtMs - 60_000 }))
    }, `room:v1:${room.id}`)
    const { hold, admit } = await interposeConnections(page)
    hold()
    await page.reload()
    await expect(loading(page)).toBeVisible()
    await expect(heading(page, room.name)).toBeHidden()
    admit()
    await expect(heading(page, room.name)).toBeVisible()
  },
)

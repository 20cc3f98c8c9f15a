import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { startApp, type App } from '../support/app.ts'
import type { Person } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, readPlayback } from '../support/rooms.ts'
import { createRoomOfTwo, expect, test } from './fixtures.ts'
import { makeNoiseFolder } from './recording/noise-tracks.ts'
import { hearTwo } from './two-listeners.ts'

// One room, whose owner sends many commands a second.
test.describe.configure({ mode: 'serial' })

const times = 10
const everyMs = 200
/** After the last press; a busy machine takes longer. */
const settleMs = 8_000
const patience = { timeout: 120_000, intervals: [0] }

let app: App
let owner: Person
let roomId: string
const ends: (() => unknown)[] = []

test.beforeAll(async ({ browsers }) => {
  const tracks = Array.from({ length: 2 * times }, (_, index) => ({ title: `Track ${index}`, seconds: 30 }))
  const noise = makeNoiseFolder(tracks)
  ends.unshift(() => noise.remove())
  app = await startApp({ musicDir: noise.path })
  ends.unshift(() => app.stop())
  const two = await createRoomOfTwo(app, browsers, 'Rapid Commands')
  ends.unshift(() => two.close())
  ;({ owner, roomId } = two)
  const { listener } = two
  await openRoom(owner.page, app.url, roomId)
  // The server allows so many changes a second.
  for (const { title } of tracks)
    await Promise.all([addTracks(app, owner.context, roomId, [title]), delay(100)])
  await openRoom(listener.page, app.url, roomId)
  await press(owner.page, 'Play')
  await Promise.all([owner, listener].map(({ page }) => waitUntilInSync(page)))
})
test.afterAll(async () => {
  for (const end of ends) await end()
})

/** Repeats what changes the room each time. */
async function repeat(work: (index: number) => Promise<unknown>): Promise<void> {
  const before = await readPlayback(app, roomId)
  for (let index = 0; index < times; index += 1) await Promise.all([work(index), delay(everyMs)])
  const readChanges = async () => (await readPlayback(app, roomId)).sequence_number - before.sequence_number
  await expect.poll(readChanges).toBeGreaterThanOrEqual(times)
}

/** Clicks at a share of the seek bar's length. */
async function clickBar(page: Page, share: number): Promise<void> {
  const box = await nowPlaying(page).getByRole('slider', { name: 'Position' }).boundingBox()
  if (box) await page.mouse.click(box.x + share * box.width, box.y + box.height / 2)
}

test('17.154 ten seeks within 2 s leave both at the same moment of the track', async ({ recorder }) => {
  await expect(async () => {
    const heard = await hearTwo(recorder, settleMs, () =>
      repeat((index) => clickBar(owner.page, 0.1 + 0.05 * ((index * 7) % times))),
    )
    expect(heard.endsTogetherMs).toBeGreaterThan(3_000)
  }).toPass(patience)
})

test('17.154 Next ten times within 2 s leaves both in the same track', async ({ recorder }) => {
  await expect(async () => {
    const heard = await hearTwo(recorder, settleMs, () => repeat(() => press(owner.page, 'Next track')))
    expect(heard.endsTogetherMs).toBeGreaterThan(3_000)
  }).toPass(patience)
})

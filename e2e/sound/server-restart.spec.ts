import { expect, test } from '@playwright/test'
import { startApp, type App } from '../app.ts'
import { openBrowser, type Browser } from '../browser.ts'
import { makeNoiseFolder, maxStutterMs, openEars, press, region, stage, type Ears } from './recorder.ts'
import { createRoom, makePerson, signUp } from '../rooms.ts'
import { readPlayback, waitUntilInSync } from '../room-page.ts'

// The second test goes on in the first one's room.
test.describe.configure({ mode: 'serial' })

/** An open page finds its server again by itself, and its owner has the controls back. */
const recovered = { timeout: 10_000 }

let app: App
let ears: Ears
let owner: Browser
let roomId: string
const noise = makeNoiseFolder(
  Array.from({ length: 12 }, (_, index) => ({ title: `Track ${String(index + 10)}`, seconds: 50 })),
)

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path })
  ears = await openEars(1)
  owner = await openBrowser({ sound: ears.environment(0) })
})
test.afterAll(async () => {
  await owner.close()
  await ears.stop()
  await app.stop()
  noise.remove()
})

/** The owner pauses the room, as soon as the page has its server back. What the page shows by itself does not count. */
async function expectControl(): Promise<void> {
  const isPlaying = async () => (await readPlayback(app, roomId)).is_playing
  await expect(async () => {
    await press(owner.page, 'Pause')
    await expect.poll(isPlaying, { timeout: 2_000 }).toBe(false)
  }).toPass(recovered)
}

test('4.10a after kill -9 in the middle of queue writes nothing that was acknowledged is lost, and the owner controls again', async () => {
  const { page, context } = owner
  await signUp(app, context, makePerson('kate'))
  roomId = await createRoom(app, context, { name: 'Phoenix' })
  await page.goto(`${app.url}/room/${roomId}`)
  const add = region(page, 'Find Music').getByRole('button', { name: /^Add .* to the queue$/ })
  await add.first().click()
  await expect(stage(page).getByRole('heading', { name: /^Track/ })).toBeVisible()
  await press(page, 'Play')
  await waitUntilInSync(page)

  const found = await context.request.get(`${app.url}/api/library`)
  const { tracks } = (await found.json()) as { tracks: { id: string }[] }
  const acknowledged: string[] = []
  const write = async (index: number) => {
    const response = await context.request
      .post(`${app.url}/api/rooms/${roomId}/queue`, {
        headers: { origin: app.url },
        data: { trackId: tracks[index % tracks.length]?.id },
      })
      .catch(() => null)
    if (!response?.ok()) return
    const { queue } = (await response.json()) as { queue: { entry_id: string }[] }
    for (const entry of queue) if (!acknowledged.includes(entry.entry_id)) acknowledged.push(entry.entry_id)
    // One answer may tell of several entries: it need not be the twentieth that is seen.
    if (acknowledged.length >= 20) await app.kill()
  }
  const listening = ears.listen(9_000)
  for (let batch = 0; batch < 12; batch += 1) {
    await Promise.all([0, 1, 2, 3].map((index) => write(batch * 4 + index)))
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(20)
  await app.restart()

  const after = await context.request.get(`${app.url}/api/rooms/${roomId}/queue`)
  const { queue } = (await after.json()) as { queue: { entry_id: string; position: number }[] }
  expect(queue.map((entry) => entry.position)).toEqual(queue.map((_, index) => index))
  const stored = new Set(queue.map((entry) => entry.entry_id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

  await expect(region(page, 'Queue').getByRole('listitem')).toHaveCount(queue.length)
  await expectControl()
  const heard = await listening
  expect(heard.loudness(0)).toBeGreaterThan(0.01)
})

test('4.10a the sound has no gap while the server restarts', async () => {
  const { page } = owner
  await press(page, 'Play')
  await waitUntilInSync(page)
  const listening = ears.listen(8_000)
  await app.kill()
  await app.restart()
  const heard = await listening
  expect(heard.longestGapMs(0)).toBeLessThan(maxStutterMs)
  await expectControl()
})

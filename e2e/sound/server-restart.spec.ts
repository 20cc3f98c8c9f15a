import type { App } from '../support/app.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { nowPlaying, openTab, press, region, waitUntilInSync } from '../support/room-page.ts'
import { createRoom, readLibrary, readPlayback } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { maxStutterMs } from './recording/recorder.ts'

// The second test continues in the room of the first.
test.describe.configure({ mode: 'serial' })

/**
 * An open page reconnects by itself, and its owner controls the room again, also where other programs keep the cores
 * busy.
 */
const recovered = { timeout: 60_000 }
/** A page takes back within this what the server has not answered. */
const answered = { timeout: 6_000 }

let owner: Person
let roomId: string

test.beforeAll(async ({ app, browsers }) => {
  owner = await openPerson(browsers[0], app, 'kate')
  roomId = await createRoom(app, owner.context, { name: 'Phoenix' })
})
test.afterAll(() => owner.context.close())

/** Expects the server to pause the room for its owner. The optimistic state of the page does not count. */
async function expectControl(app: App): Promise<void> {
  const isPlaying = async () => (await readPlayback(app, roomId)).is_playing
  await expect(async () => {
    // A pause that arrived late needs no second one, for which there is no button any more.
    const pause = nowPlaying(owner.page).getByRole('button', { name: 'Pause', exact: true })
    if (await isPlaying()) await pause.click(answered)
    await expect.poll(isPlaying, answered).toBe(false)
  }).toPass(recovered)
}

test('4.10a after kill -9 during queue writes no acknowledged write is lost, and the owner controls again', async ({
  app,
  recorder,
}) => {
  const { page, context } = owner
  await page.goto(`${app.url}/room/${roomId}`)
  await openTab(page, 'Find Music')
  const add = region(page, 'Find Music').getByRole('button', { name: /^Add .* to the queue$/ })
  await add.first().click()
  await expect(nowPlaying(page).getByRole('heading', { level: 3 })).toBeVisible()
  await press(page, 'Play')
  await waitUntilInSync(page)

  const tracks = await readLibrary(app, context.request)
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
    // One answer may contain several new entries, so the count can skip twenty.
    if (acknowledged.length >= 20) await app.kill()
  }
  const stopRecording = await recorder.start(9_000)
  for (let batch = 0; acknowledged.length < 20; batch += 1) {
    await Promise.all([0, 1, 2, 3].map((index) => write(batch * 4 + index)))
    // A fast server refuses more than 20 in a second.
    await page.waitForTimeout(50)
  }
  await app.restart()

  const after = await context.request.get(`${app.url}/api/rooms/${roomId}/queue`)
  const { queue } = (await after.json()) as { queue: { entry_id: string; position: number }[] }
  expect(queue.map((entry) => entry.position)).toEqual(queue.map((_, index) => index))
  const stored = new Set(queue.map((entry) => entry.entry_id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

  await openTab(page, 'Queue')
  // Only the entries in sight are drawn.
  await expect(region(page, 'Queue').getByText(new RegExp(`^${queue.length} tracks`))).toBeVisible()
  await expectControl(app)
  const recording = await stopRecording()
  expect(recording.loudness(0)).toBeGreaterThan(0.01)
})

test('4.10a the sound has no gap while the server restarts', async ({ app, recorder }) => {
  const { page } = owner
  await press(page, 'Play')
  // Recorded again where a busy machine dropped sound.
  await expect(async () => {
    await waitUntilInSync(page)
    const recording = recorder.record(8_000)
    await app.kill()
    await app.restart()
    expect((await recording).longestGapMs(0)).toBeLessThan(maxStutterMs)
  }).toPass(recovered)
  await expectControl(app)
})

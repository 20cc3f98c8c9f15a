import type { Person } from '../support/fixtures.ts'
import {
  expectOnTimeline,
  nowPlaying,
  openMembers,
  openRoom,
  press,
  readShownPlayback,
  samplePlaybackWhile,
  waitUntilInSync,
} from '../support/room-page.ts'
import { addTracks, readPlayback } from '../support/rooms.ts'
import { createRoomOfTwo, expect, expectInSync, test, type RoomOfTwo } from './fixtures.ts'
import { maxStutterMs } from './recording/recorder.ts'

// The second test continues where the first left the room.
test.describe.configure({ mode: 'serial' })

/** A member whose connection ended stays on the list for a while. */
const goneWithinMs = 20_000

let two: RoomOfTwo
let owner: Person
let listener: Person
let roomId: string

test.beforeAll(async ({ app, browsers }) => {
  two = await createRoomOfTwo(app, browsers, 'Open House')
  ;({ owner, listener, roomId } = two)
  await Promise.all([owner, listener].map(({ page }) => openRoom(page, app.url, roomId)))
  await addTracks(app, owner.context, roomId, ['Alpha', 'Gamma', 'Omega'])
})
test.afterAll(() => two.close())

test('1.2c the owner reloads in mid-track: the sound of the others goes on, and the owner controls again', async ({
  app,
  recorder,
}) => {
  await press(owner.page, 'Play')
  await waitUntilInSync(listener.page)
  const before = await readPlayback(app, roomId)
  const seen = await samplePlaybackWhile([listener.page], async () => {
    const stopRecording = await recorder.start(6_000)
    await owner.page.reload()
    await waitUntilInSync(owner.page)
    expect((await stopRecording()).longestGapMs(1)).toBeLessThan(maxStutterMs)
  })
  expect(seen.length).toBeGreaterThan(10)
  for (const shown of seen) expectOnTimeline(shown, 'Alpha', before)
  // The room received no command, not even an identical one.
  expect(await readPlayback(app, roomId)).toMatchObject({ sequence_number: before.sequence_number })

  await press(owner.page, 'Pause')
  await expect(nowPlaying(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('1.2c, 4.7c, 4.16a the owner closes the tab: the room goes on through the queue, and obeys a new tab', async ({
  app,
  recorder,
}) => {
  const members = await openMembers(listener.page)
  await press(owner.page, 'Play')
  await press(owner.page, 'Next track')
  await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Gamma' })).toBeVisible()
  const tab = await owner.context.newPage()
  await owner.page.close()

  await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Omega' })).toBeVisible({
    timeout: 20_000,
  })
  await waitUntilInSync(listener.page)
  expect((await recorder.record(1_000)).loudness(1)).toBeGreaterThan(0.01)
  const alone = await readPlayback(app, roomId)
  expect(alone.is_playing).toBe(true)
  expectOnTimeline(await readShownPlayback(listener.page), 'Omega', alone)
  await expect(members.getByText('1 online')).toBeVisible({ timeout: goneWithinMs })

  await openRoom(tab, app.url, roomId)
  await expect(members.getByText('2 online')).toBeVisible()
  await waitUntilInSync(tab)
  // One second after its owner joined, an idle room would restart.
  expect((await recorder.record(2_000)).longestGapMs(1)).toBeLessThan(maxStutterMs)
  await expectInSync(recorder)
  expectOnTimeline(await readShownPlayback(tab), 'Omega', alone)
  expect(await readPlayback(app, roomId)).toMatchObject({ sequence_number: alone.sequence_number })
  await press(tab, 'Pause')
  await expect(nowPlaying(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

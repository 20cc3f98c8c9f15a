import { expect, test } from '@playwright/test'
import { startApp, type App } from '../app.ts'
import { openBrowser, type Browser } from '../browser.ts'
import { makeNoiseFolder, maxStutterMs, openEars, press, region, stage, type Ears } from './recorder.ts'
import { addTracks, createRoom, makePerson, signUp } from '../rooms.ts'
import {
  expectOnTimeline,
  openRoom,
  readPlayback,
  readShown,
  waitUntilInSync,
  watchWhile,
} from '../room-page.ts'

// The second test goes on where the first one left the room.
test.describe.configure({ mode: 'serial' })

/** The place of somebody whose connection ended is kept for a while. */
const goneWithinMs = 20_000

let app: App
let ears: Ears
let owner: Browser
let listener: Browser
let roomId: string
const noise = makeNoiseFolder([
  { title: 'First', seconds: 90 },
  { title: 'Short', seconds: 8 },
  { title: 'Last', seconds: 90 },
])

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path })
  ears = await openEars(1)
  owner = await openBrowser()
  listener = await openBrowser({ sound: ears.environment(0) })
  await signUp(app, owner.context, makePerson('olga'))
  await signUp(app, listener.context, makePerson('luis'))
  roomId = await createRoom(app, owner.context, { name: 'Open House' })
  await Promise.all([owner, listener].map(({ page }) => openRoom(page, app.url, roomId)))
  await addTracks(app, owner.context, roomId, ['First', 'Short', 'Last'])
})
test.afterAll(async () => {
  await Promise.all([owner.close(), listener.close()])
  await ears.stop()
  await app.stop()
  noise.remove()
})

test('1.2c the owner reloads in mid-track: nobody hears it, and the owner controls again', async () => {
  await press(owner.page, 'Play')
  await waitUntilInSync(listener.page)
  const before = await readPlayback(app, roomId)
  const seen = await watchWhile([listener.page], async () => {
    const listening = ears.listen(6_000)
    await owner.page.reload()
    await waitUntilInSync(owner.page)
    expect((await listening).longestGapMs(0)).toBeLessThan(maxStutterMs)
  })
  expect(seen.length).toBeGreaterThan(10)
  for (const shown of seen) expectOnTimeline(shown, 'First', before)
  // Nothing was said to the room: not even the same once more.
  expect(await readPlayback(app, roomId)).toMatchObject({ sequence_number: before.sequence_number })

  await press(owner.page, 'Pause')
  await expect(stage(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('1.2c, 4.7c, 4.16a the owner closes the tab: the room goes on through the queue, and obeys a new tab', async () => {
  const members = region(listener.page, 'Room Members')
  await press(owner.page, 'Play')
  await press(owner.page, 'Next track')
  await expect(stage(listener.page).getByRole('heading', { name: 'Short' })).toBeVisible()
  // A browser ends with its last tab.
  const tab = await owner.context.newPage()
  await owner.page.close()

  await expect(stage(listener.page).getByRole('heading', { name: 'Last' })).toBeVisible({ timeout: 20_000 })
  await waitUntilInSync(listener.page)
  expect((await ears.listen(1_000)).loudness(0)).toBeGreaterThan(0.01)
  const alone = await readPlayback(app, roomId)
  expect(alone.is_playing).toBe(true)
  expectOnTimeline(await readShown(listener.page), 'Last', alone)
  await expect(members.getByText('1 online')).toBeVisible({ timeout: goneWithinMs })

  await openRoom(tab, app.url, roomId)
  await expect(members.getByText('2 online')).toBeVisible()
  await waitUntilInSync(tab)
  // A second after the owner came, an idle room would begin anew.
  expect((await ears.listen(2_000)).longestGapMs(0)).toBeLessThan(maxStutterMs)
  expectOnTimeline(await readShown(tab), 'Last', alone)
  expect(await readPlayback(app, roomId)).toMatchObject({ sequence_number: alone.sequence_number })
  await press(tab, 'Pause')
  await expect(stage(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

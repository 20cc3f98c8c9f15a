import { expect, test } from '@playwright/test'
import { startApp, type App } from '../app.ts'
import { openBrowser, type Browser } from '../browser.ts'
import { openDetour, type Detour } from '../network-proxy.ts'
import { makeNoiseFolder, maxStutterMs, openEars, press, region, stage, type Ears } from './recorder.ts'
import { addTracks, createRoom, makePerson, signUp } from '../rooms.ts'
import { expectOnTimeline, openRoom, readPlayback, waitUntilInSync, watchWhile } from '../room-page.ts'

// Each test goes on where the one before it left the room.
test.describe.configure({ mode: 'serial' })

/** Nobody tells the page: probes without an answer do. */
const noticed = { timeout: 20_000 }
/** After five failures in a row the page tries every 5 s. */
const givenUp = { timeout: 20_000 }
const recovered = { timeout: 15_000 }

let app: App
let detour: Detour
let ears: Ears
let owner: Browser
let listener: Browser
let roomId: string
const noise = makeNoiseFolder([{ title: 'Constant', seconds: 240 }])

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path })
  detour = await openDetour()
  detour.leadTo(app.url)
  ears = await openEars(1)
  owner = await openBrowser({ sound: ears.environment(0) })
  listener = await openBrowser()
  await signUp(app, owner.context, makePerson('otto'))
  await signUp(app, listener.context, makePerson('lena'))
  roomId = await createRoom(app, owner.context, { name: 'Tunnel' })
  await Promise.all([openRoom(owner.page, detour.url, roomId), openRoom(listener.page, app.url, roomId)])
  await addTracks(app, owner.context, roomId, ['Constant'])
  await press(owner.page, 'Play')
})
test.beforeEach(async () => {
  await Promise.all([waitUntilInSync(owner.page), waitUntilInSync(listener.page)])
})
test.afterAll(async () => {
  await Promise.all([owner.close(), listener.close()])
  await detour.close()
  await ears.stop()
  await app.stop()
  noise.remove()
})

const reconnecting = () => owner.page.getByText('Connection lost. Reconnecting...')
const unreachable = () => owner.page.getByText('The room server cannot be reached.')

/** Where everything on the owner's page lies. */
async function measureLayout() {
  const names = ['Now Playing', 'Queue', 'Find Music', 'Room Members', 'Chat']
  return Promise.all(names.map((name) => region(owner.page, name).boundingBox()))
}

/** Both pages stay on the timeline that the room has now, without a gap in the owner's sound, while something happens. */
async function expectMusicGoesOn(happening: () => Promise<void>, soundMs: number): Promise<void> {
  const before = await readPlayback(app, roomId)
  const seen = await watchWhile([owner.page, listener.page], async () => {
    const listening = ears.listen(soundMs)
    await happening()
    expect((await listening).longestGapMs(0)).toBeLessThan(maxStutterMs)
  })
  for (const shown of seen) expectOnTimeline(shown, 'Constant', before)
  expect(await readPlayback(app, roomId)).toMatchObject({ sequence_number: before.sequence_number })
}

/** The owner says something to the room, and the room obeys. */
async function expectControl(): Promise<void> {
  const button = (name: string) => stage(listener.page).getByRole('button', { name, exact: true })
  await press(owner.page, 'Pause')
  await expect(button('Play')).toBeVisible()
  await press(owner.page, 'Play')
  await expect(button('Pause')).toBeVisible()
}

test('4.2b, 4.10a the network of the owner is gone until the page gives up: the music goes on, and control comes back', async () => {
  await expectMusicGoesOn(async () => {
    const layout = await measureLayout()
    detour.block()
    await expect(reconnecting()).toBeVisible()
    expect(await measureLayout()).toEqual(layout)
    await expect(unreachable()).toBeVisible(givenUp)
    expect(await measureLayout()).toEqual(layout)
    detour.unblock()
    await expect(unreachable()).toBeHidden(recovered)
    await expect(reconnecting()).toBeHidden()
  }, 12_000)
  await expectControl()
})

test('4.2b, 4.10a connections that the network forgot are noticed and made anew, while the music goes on', async () => {
  await expectMusicGoesOn(async () => {
    detour.forget()
    await expect(reconnecting()).toBeVisible(noticed)
    await expect(reconnecting()).toBeHidden(recovered)
  }, 14_000)
  await expectControl()
})

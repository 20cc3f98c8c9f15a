import type { App } from '../support/app.ts'
import { expect, type Person } from '../support/fixtures.ts'
import { openNetworkProxy, type NetworkProxy } from '../support/network-proxy.ts'
import {
  expectOnTimeline,
  nowPlaying,
  openRoom,
  press,
  readShownPlayback,
  region,
  samplePlaybackWhile,
  waitUntilInSync,
} from '../support/room-page.ts'
import { addTracks, readPlayback } from '../support/rooms.ts'
import { createRoomOfTwo, test, type RoomOfTwo } from './fixtures.ts'
import { maxStutterMs, type Recorder } from './recording/recorder.ts'

// The second test continues in the room of the first.
test.describe.configure({ mode: 'serial' })

/** The page detects a stalled connection by probes without an answer. */
const detected = { timeout: 20_000 }
/** After five failures in a row the page retries every 5 s. */
const givenUp = { timeout: 20_000 }
const recovered = { timeout: 15_000 }
const recordedMs = 14_000
/** By then the page has read further ahead than it takes to give up and to be connected again. */
const readAheadMs = 10_000

let proxy: NetworkProxy
let two: RoomOfTwo
let owner: Person
let listener: Person
let roomId: string

test.beforeAll(async ({ app, browsers }) => {
  proxy = await openNetworkProxy()
  proxy.forwardTo(app.url)
  two = await createRoomOfTwo(app, browsers, 'Tunnel')
  ;({ owner, listener, roomId } = two)
  await Promise.all([openRoom(owner.page, proxy.url, roomId), openRoom(listener.page, app.url, roomId)])
  await addTracks(app, owner.context, roomId, ['Alpha'])
  await press(owner.page, 'Play')
})
test.beforeEach(async () => {
  await Promise.all([waitUntilInSync(owner.page), waitUntilInSync(listener.page)])
})
test.afterAll(async () => {
  await two.close()
  await proxy.close()
})

const reconnecting = () => owner.page.getByText('Connection lost. Reconnecting...')
const unreachable = () => owner.page.getByText('The room server cannot be reached.')

/** The boxes of the sections of the owner's page. */
async function measureLayout() {
  const shown = ['Queue', 'Find Music', 'Chat'].map((name) => owner.page.getByRole('tab', { name }))
  return Promise.all([region(owner.page, 'Now Playing'), ...shown].map((part) => part.boundingBox()))
}

interface Parts {
  app: App
  recorder: Recorder
}

/** Expects both pages to stay on the room's timeline, without a gap in the owner's sound, while `action` runs. */
async function expectMusicContinues({ app, recorder }: Parts, action: () => Promise<void>): Promise<void> {
  const before = await readPlayback(app, roomId)
  const seen = await samplePlaybackWhile([owner.page, listener.page], async () => {
    const stopRecording = await recorder.start(recordedMs)
    await action()
    expect((await stopRecording()).longestGapMs(0)).toBeLessThan(maxStutterMs)
  })
  for (const shown of seen) expectOnTimeline(shown, 'Alpha', before)
  expect(await readPlayback(app, roomId)).toMatchObject({ sequence_number: before.sequence_number })
}

/** Expects the room to follow the owner's commands. */
async function expectControl(): Promise<void> {
  const button = (name: string) => nowPlaying(listener.page).getByRole('button', { name, exact: true })
  await press(owner.page, 'Pause')
  await expect(button('Play')).toBeVisible()
  await press(owner.page, 'Play')
  await expect(button('Pause')).toBeVisible()
}

test('4.2b, 4.10a the owner is offline until the page gives up: the music goes on, and control comes back', async ({
  app,
  recorder,
}) => {
  await expect
    .poll(async () => (await readShownPlayback(owner.page))?.positionMs)
    .toBeGreaterThan(readAheadMs)
  await expectMusicContinues({ app, recorder }, async () => {
    const layout = await measureLayout()
    proxy.block()
    await expect(reconnecting()).toBeVisible()
    expect(await measureLayout()).toEqual(layout)
    await expect(unreachable()).toBeVisible(givenUp)
    expect(await measureLayout()).toEqual(layout)
    proxy.unblock()
    await expect(unreachable()).toBeHidden(recovered)
    await expect(reconnecting()).toBeHidden()
  })
  await expectControl()
})

test('4.2b, 4.10a stalled connections are detected and replaced while the music goes on', async ({
  app,
  recorder,
}) => {
  await expectMusicContinues({ app, recorder }, async () => {
    proxy.stall()
    await expect(reconnecting()).toBeVisible(detected)
    await expect(reconnecting()).toBeHidden(recovered)
  })
  await expectControl()
})

import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium, type Browser } from '@playwright/test'
import { launchOptions } from '../support/browser.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { startRecorder, type Recorder } from './recording/recorder.ts'

// One room, whose listener's device changes from test to test.
test.describe.configure({ mode: 'serial' })

const run = promisify(execFile)
const maxSkewMs = 15
const minCorrelation = 0.2

let threeDevices: Recorder
let browsers: Browser[]
let owner: Person
let listener: Person

test.beforeAll(async ({ app }) => {
  threeDevices = await startRecorder(3)
  const launch = (device: number) =>
    chromium.launch(launchOptions({ sound: threeDevices.environment(device) }))
  browsers = await Promise.all([launch(0), launch(1)])
  const [first, second] = browsers
  if (!first || !second) throw new Error('No browsers')
  ;[owner, listener] = await Promise.all([openPerson(first, app, 'odile'), openPerson(second, app, 'lars')])
  const roomId = await createRoom(app, owner.context, { name: 'Headphones' })
  await openRoom(owner.page, app.url, roomId)
  // Several times: on a busy machine the tests outlast a track.
  await addTracks(app, owner.context, roomId, ['Alpha', 'Alpha', 'Alpha'])
  await press(owner.page, 'Play')
  await openRoom(listener.page, app.url, roomId)
  await Promise.all([owner, listener].map(({ page }) => waitUntilInSync(page)))
})
test.afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()))
  await threeDevices.stop()
})

/** Expects the listener on a device to play what the owner plays, and nothing on the other one. */
async function expectTogether(device: 1 | 2): Promise<void> {
  await expect(async () => {
    const recording = await threeDevices.record(2_000)
    const { correlation, lagMs } = recording.skew(0, device)
    expect(correlation).toBeGreaterThan(minCorrelation)
    expect(Math.abs(lagMs)).toBeLessThan(maxSkewMs)
    expect(recording.loudness(device === 1 ? 2 : 1)).toBe(0)
  }).toPass({ timeout: 30_000 })
}

async function pactl(...args: string[]): Promise<string> {
  const { stdout } = await run('pactl', args, { env: { ...process.env, ...threeDevices.environment(0) } })
  return stdout.trim()
}

/** The stream that a browser plays on a device. */
async function streamOn(device: string): Promise<string> {
  const list = async (what: string) =>
    (await pactl('list', 'short', what)).split('\n').map((line) => line.split('\t'))
  const [deviceId] = (await list('sinks')).find(([, name]) => name === device) ?? []
  const [streamId] = (await list('sink-inputs')).find(([, on]) => on === deviceId) ?? []
  return streamId ?? ''
}

test('17.104 the sound moves with its stream to another device, in sync', async () => {
  await expectTogether(1)
  await pactl('move-sink-input', await streamOn('listener1'), 'listener2')
  await expectTogether(2)
  await pactl('move-sink-input', await streamOn('listener2'), 'listener1')
  await expectTogether(1)
})

test('17.104 a device that was suspended plays on where the room is', async () => {
  await pactl('suspend-sink', 'listener1', '1')
  await delay(3_000)
  await pactl('suspend-sink', 'listener1', '0')
  await expectTogether(1)
})

test('17.107 a page that the browser froze plays on where the room is', async () => {
  const cdp = await listener.context.newCDPSession(listener.page)
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
  await delay(6_000)
  await cdp.send('Page.setWebLifecycleState', { state: 'active' })
  await expectTogether(1)
})

test('17.107 a page that is reloaded twice at once sounds once', async () => {
  const first = listener.page.reload().catch(() => undefined)
  await delay(200)
  // While the browser exchanges the one page for the other, it refuses to reload.
  await expect(() => listener.page.reload()).toPass({ intervals: [20] })
  await first
  await waitUntilInSync(listener.page)
  await expectTogether(1)
  const countStreams = async () =>
    (await pactl('list', 'short', 'sink-inputs')).split('\n').filter((stream) => !stream.includes(' 1ch '))
      .length
  // The two browsers', and those by which the devices are one. The silence that shows media controls is mono (17.370).
  // Polled, as the page that was exchanged may keep its own for a moment.
  await expect.poll(countStreams).toBe(2 + 3)
})

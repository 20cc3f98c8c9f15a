import { chromium, expect, test as base, type Browser } from '@playwright/test'
import { startApp, type App } from '../support/app.ts'
import { launchOptions } from '../support/browser.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { createRoom } from '../support/rooms.ts'
import { makeNoiseFolder } from './recording/noise-tracks.ts'
import { startRecorder, type Recorder } from './recording/recorder.ts'

interface TestFixtures {
  /** The owner of `room` plays on the recorder's channel 0, the listener on channel 1. */
  owner: Person
  listener: Person
  room: { id: string; name: string }
}

interface WorkerFixtures {
  noiseFolder: string
  /** A server whose library is the noise tracks. */
  app: App
  recorder: Recorder
  /** A browser for each channel of the recorder: a sound device belongs to a process. */
  browsers: [Browser, Browser]
}

const tracks = [
  { title: 'Alpha', seconds: 240 },
  { title: 'Beta', seconds: 240 },
  { title: 'Gamma', seconds: 6 },
  { title: 'Omega', seconds: 90 },
]

/** Sound tests: one server, one recorder and two browsers for all of them; accounts and rooms per test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  noiseFolder: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => {
      const folder = makeNoiseFolder(tracks)
      await provide(folder.path)
      folder.remove()
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ noiseFolder }, provide) => {
      const app = await startApp({ musicDir: noiseFolder })
      await provide(app)
      await app.stop()
    },
    { scope: 'worker' },
  ],
  recorder: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => {
      const recorder = await startRecorder(2)
      await provide(recorder)
      await recorder.stop()
    },
    { scope: 'worker' },
  ],
  browsers: [
    async ({ recorder }, provide) => {
      const launch = (channel: number) =>
        chromium.launch(launchOptions({ sound: recorder.environment(channel) }))
      const browsers = await Promise.all([launch(0), launch(1)])
      await provide(browsers)
      await Promise.all(browsers.map((browser) => browser.close()))
    },
    { scope: 'worker' },
  ],
  owner: async ({ browsers, app }, provide) => {
    const owner = await openPerson(browsers[0], app, 'olivia')
    await provide(owner)
    await owner.context.close()
  },
  listener: async ({ browsers, app }, provide) => {
    const listener = await openPerson(browsers[1], app, 'liam')
    await provide(listener)
    await listener.context.close()
  },
  room: async ({ app, owner }, provide, testInfo) => {
    const name = `Noise Lab ${testInfo.testId.slice(-6)}`
    await provide({ id: await createRoom(app, owner.context, { name }), name })
  },
})

export { expect }

/** A room whose owner and listener each have a browser, for all tests of a file. */
export interface RoomOfTwo {
  owner: Person
  listener: Person
  roomId: string
  close(): Promise<void>
}

/** Creates a room and signs two people in, who have not opened it yet. */
export async function createRoomOfTwo(
  app: App,
  browsers: readonly [Browser, Browser],
  name: string,
): Promise<RoomOfTwo> {
  const [owner, listener] = await Promise.all([
    openPerson(browsers[0], app, 'olivia'),
    openPerson(browsers[1], app, 'liam'),
  ])
  return {
    owner,
    listener,
    roomId: await createRoom(app, owner.context, { name }),
    async close() {
      await Promise.all([owner.context.close(), listener.context.close()])
    },
  }
}

/** Where listeners could notice the skew. */
const maxSkewMs = 15
/** Two different sounds reach about 0.05; stutters of a busy machine lower the value of the same sound below 1. */
const minCorrelation = 0.2

/**
 * Expects the owner and the listener to play the same at the same time: at once on a quiet machine, within some recordings
 * on one so busy that sound stutters. `npm run bench sync` measures the skew itself.
 */
export async function expectInSync(recorder: Recorder): Promise<void> {
  await expect(async () => {
    const recording = await recorder.record(2_000)
    expect(recording.loudness(0)).toBeGreaterThan(0.01)
    expect(recording.loudness(1)).toBeGreaterThan(0.01)
    const skew = recording.skew(0, 1)
    expect(skew.correlation).toBeGreaterThan(minCorrelation)
    expect(Math.abs(skew.lagMs)).toBeLessThan(maxSkewMs)
  }).toPass({ timeout: 45_000 })
}

import { startApp, type App, type AppOptions } from '@earshot/e2e/app'
import { openBrowser, type Browser, type BrowserOptions } from '@earshot/e2e/browser'
import { makeNoiseFolder } from '@earshot/e2e/sound/noise-tracks'
import { nowPlaying, region } from '@earshot/e2e/room-page'
import { createRoom } from '@earshot/e2e/rooms'
import { signIn } from '@earshot/e2e/accounts'
import { startSoundServer, type SoundServer } from '@earshot/e2e/sound/sound-server'
import { setTimeout as delay } from 'node:timers/promises'
import type { Defer } from '../defer.ts'

/** A signed-in browser with a sound device of its own. */
export interface Participant extends Browser {
  /** The address under which it opens the room. */
  roomUrl: string
}

/** A room with an owner and listeners whose sound is recorded. The owner's channel is the first. */
export interface TestRoom {
  app: App
  sound: SoundServer
  owner: Participant
  listeners: Participant[]
}

/** The browser of a participant and its way to the server. */
export interface ParticipantSetup {
  /** The origin to open. Default: the server's. */
  origin?: string
  browser?: BrowserOptions
  /** Prepares the browser before it opens a page. */
  prepare?: (browser: Browser) => Promise<unknown>
}

export interface NoiseTrack {
  title: string
  seconds: number
}

export interface TestRoomOptions {
  /** The queue in this order; the first becomes the current track. */
  tracks: NoiseTrack[]
  /** The setups of the owner and of each listener, called once the server runs. */
  setups: (app: App) => ParticipantSetup[] | Promise<ParticipantSetup[]>
  app?: Omit<AppOptions, 'musicDir'>
}

const scanTimeoutMs = 20_000

/** Starts the server, the sound server and the browsers, signs all in and fills the room's queue. */
export async function openTestRoom(defer: Defer, options: TestRoomOptions): Promise<TestRoom> {
  const noise = makeNoiseFolder(options.tracks)
  defer(() => noise.remove())
  const app = await startApp({ ...options.app, musicDir: noise.path })
  defer(() => app.stop())
  const setups = await options.setups(app)
  const sound = await startSoundServer(setups.length)
  defer(() => sound.stop())
  const browsers: Browser[] = []
  for (const [index, setup] of setups.entries()) {
    const browser = await openBrowser({ ...setup.browser, sound: sound.environment(index) })
    defer(() => browser.close())
    await setup.prepare?.(browser)
    await signIn(app, browser.context, index === 0 ? 'owner' : `listener${index}`, [
      setup.origin ?? app.publicUrl,
    ])
    browsers.push(browser)
  }
  const [owner, ...listeners] = await toParticipants(app, browsers, setups)
  if (!owner) throw new Error('A test room needs at least its owner')
  await enter({ app, sound, owner, listeners }, options.tracks)
  return { app, sound, owner, listeners }
}

/** Creates the room as its owner, and the address of the room for each browser. */
async function toParticipants(
  app: App,
  browsers: Browser[],
  setups: ParticipantSetup[],
): Promise<Participant[]> {
  const [owner] = browsers
  if (!owner) return []
  const roomId = await createRoom(app, owner.context, { name: 'Bench' })
  return browsers.map((browser, index) => ({
    ...browser,
    roomUrl: `${setups[index]?.origin ?? app.publicUrl}/room/${roomId}`,
  }))
}

/** Opens the room in all browsers; the owner adds the tracks. */
async function enter({ app, owner, listeners }: TestRoom, tracks: NoiseTrack[]): Promise<void> {
  await waitForMusic(app, owner, tracks.length)
  await owner.page.goto(owner.roomUrl)
  for (const { title } of tracks) {
    await region(owner.page, 'Find Music')
      .getByRole('button', { name: `Add ${title} to the queue`, exact: true })
      .click()
  }
  for (const { page, roomUrl } of listeners) await page.goto(roomUrl)
  for (const { page } of [owner, ...listeners]) {
    await nowPlaying(page)
      .getByRole('heading', { name: tracks[0]?.title ?? '', exact: true })
      .waitFor()
  }
}

/** Waits until the server's scan has found the music. */
async function waitForMusic(app: App, { context }: Browser, count: number): Promise<void> {
  const giveUpAt = performance.now() + scanTimeoutMs
  while (performance.now() < giveUpAt) {
    const answer = await context.request.get(`${app.url}/api/library`)
    const { total } = (await answer.json()) as { total: number }
    if (total >= count) return
    await delay(100)
  }
  throw new Error(`The server did not find its music within ${scanTimeoutMs} ms`)
}

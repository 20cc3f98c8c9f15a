import { startApp, type App, type AppOptions } from '@earshot/e2e/app'
import { openBrowser, type Browser, type BrowserOptions } from '@earshot/e2e/browser'
import { makeNoiseFolder } from '@earshot/e2e/sound/noise-tracks'
import { nowPlaying, region } from '@earshot/e2e/room-page'
import { createRoom } from '@earshot/e2e/rooms'
import { signIn } from '@earshot/e2e/accounts'
import { startSoundServer, type SoundServer } from '@earshot/e2e/sound/sound-server'
import { setTimeout as delay } from 'node:timers/promises'
import type { Defer } from '../defer.ts'

/** Somebody at a browser of their own that sounds on a device of its own. */
export interface Participant extends Browser {
  /** The address under which they open the room. */
  roomUrl: string
}

/** People in one room, and ears on all of them: the owner's sound is the first of a recording. */
export interface TestRoom {
  app: App
  sound: SoundServer
  owner: Participant
  listeners: Participant[]
}

/** How somebody reaches the server, and with what browser. */
export interface ParticipantSetup {
  /** The origin that their browser opens; the server's own where there is none. */
  origin?: string
  browser?: BrowserOptions
  /** What is to be done to their browser before it opens anything. */
  prepare?: (browser: Browser) => Promise<unknown>
}

export interface NoiseTrack {
  title: string
  seconds: number
}

export interface TestRoomOptions {
  /** What the owner puts into the queue, in this order; the first becomes the current track. */
  tracks: NoiseTrack[]
  /** The places of the owner and of each listener, once the server runs. */
  setups: (app: App) => ParticipantSetup[] | Promise<ParticipantSetup[]>
  app?: Omit<AppOptions, 'musicDir'>
}

const scanTimeoutMs = 20_000

/** Starts everything: the server, the ears, the browsers; signs everybody up and puts tracks on in a room. */
export async function openTestRoom(defer: Defer, options: TestRoomOptions): Promise<TestRoom> {
  const noise = makeNoiseFolder(options.tracks)
  defer(() => noise.remove())
  const app = await startApp({ ...options.app, musicDir: noise.path })
  defer(() => app.stop())
  const setups = await options.setups(app)
  const sound = await startSoundServer(setups.length)
  defer(() => sound.stop())
  const browsers: Browser[] = []
  for (const [index, seat] of setups.entries()) {
    const browser = await openBrowser({ ...seat.browser, sound: sound.environment(index) })
    defer(() => browser.close())
    await seat.prepare?.(browser)
    await signIn(app, browser.context, index === 0 ? 'owner' : `listener${index}`, [
      seat.origin ?? app.publicUrl,
    ])
    browsers.push(browser)
  }
  const [owner, ...listeners] = await toParticipants(app, browsers, setups)
  if (!owner) throw new Error('A testRoom needs at least its owner')
  await enter({ app, sound, owner, listeners }, options.tracks)
  return { app, sound, owner, listeners }
}

/** The first one makes the room. Each knows it under the address through which they reach the server. */
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

/** Everybody opens the room; the owner adds the tracks. */
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

/** Resolves when the server has found its music, which it looks for after it started. */
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

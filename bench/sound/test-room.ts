import { startApp, type App, type AppOptions } from '@earshot/e2e/support/app'
import { openBrowser, type Browser, type BrowserOptions } from '@earshot/e2e/support/browser'
import { makeNoiseFolder, type Encoding } from '@earshot/e2e/sound/recording/noise-tracks'
import { hideSplash } from '@earshot/e2e/support/fixtures'
import { nowPlaying } from '@earshot/e2e/support/room-page'
import { addTracks, createRoom } from '@earshot/e2e/support/rooms'
import { signIn } from '@earshot/e2e/support/accounts'
import {
  startSoundServer,
  type SoundServer,
  type SoundServerOptions,
} from '@earshot/e2e/sound/recording/sound-server'
import { io } from 'socket.io-client'
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
  /** Default: WAV. */
  encoding?: Encoding
  /** The setups of the owner and of each listener, called once the server runs. */
  setups: (app: App) => ParticipantSetup[] | Promise<ParticipantSetup[]>
  app?: Omit<AppOptions, 'musicDir'>
  sound?: SoundServerOptions
}

const joinTimeoutMs = 10_000

/** Starts the server, the sound server and the browsers, signs all in and fills the room's queue. */
export async function openTestRoom(defer: Defer, options: TestRoomOptions): Promise<TestRoom> {
  const noise = makeNoiseFolder(options.tracks, options.encoding)
  defer(() => noise.remove())
  const app = await startApp({ ...options.app, musicDir: noise.path })
  defer(() => app.stop())
  const setups = await options.setups(app)
  const sound = await startSoundServer(setups.length, options.sound)
  defer(() => sound.stop())
  const browsers: Browser[] = []
  for (const [index, setup] of setups.entries()) {
    const browser = await openBrowser({ ...setup.browser, sound: sound.environment(index) })
    defer(() => browser.close())
    await hideSplash(browser.context)
    await setup.prepare?.(browser)
    await signIn(app, browser.context, index === 0 ? 'owner' : `listener${index}`, [
      setup.origin ?? app.publicUrl,
    ])
    browsers.push(browser)
  }
  const [owner, ...listeners] = await toParticipants(app, browsers, options.tracks, setups)
  if (!owner) throw new Error('A test room needs at least its owner')
  await enter([owner, ...listeners], options.tracks[0]?.title ?? '')
  return { app, sound, owner, listeners }
}

/** Creates the room with its queue as its owner, and the address of the room for each browser. */
async function toParticipants(
  app: App,
  browsers: Browser[],
  tracks: NoiseTrack[],
  setups: ParticipantSetup[],
): Promise<Participant[]> {
  const [owner] = browsers
  if (!owner) return []
  const roomId = await createRoom(app, owner.context, { name: 'Bench' })
  await fillQueue(app, owner, roomId, tracks)
  return browsers.map((browser, index) => ({
    ...browser,
    roomUrl: `${setups[index]?.origin ?? app.publicUrl}/room/${roomId}`,
  }))
}

/** Joins the room without a page, so that the owner's browser has nothing in its cache, and adds the tracks. */
async function fillQueue(
  app: App,
  { context }: Browser,
  roomId: string,
  tracks: NoiseTrack[],
): Promise<void> {
  const cookies = await context.cookies(app.url)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const socket = io(app.url, { transports: ['websocket'], extraHeaders: { cookie } })
  try {
    await socket.timeout(joinTimeoutMs).emitWithAck('join_room', { roomId })
    await addTracks(
      app,
      context,
      roomId,
      tracks.map(({ title }) => title),
    )
  } finally {
    socket.disconnect()
  }
}

/** Opens the room in all browsers at once, so that nobody's page has settled before the others'. */
async function enter(participants: Participant[], firstTitle: string): Promise<void> {
  await Promise.all(
    participants.map(async ({ page, roomUrl }) => {
      await page.goto(roomUrl)
      await nowPlaying(page).getByRole('heading', { name: firstTitle, exact: true }).waitFor()
    }),
  )
}

import { startApp, type App } from '@earshot/e2e/app'
import { openBrowser, type Browser } from '@earshot/e2e/browser'
import { makeNoiseFolder, press, region, stage } from '@earshot/e2e/listening'
import { createRoom, makePerson, signUp } from '@earshot/e2e/people'
import { loudness, takeListener } from '@earshot/e2e/sound/recording'
import { startSoundServer, type SoundServer } from '@earshot/e2e/sound/pulse'
import { measureSkew } from '@earshot/e2e/sound/skew'
import { skewOverTime } from '@earshot/e2e/sound/skew-over-time'
import { setTimeout as delay } from 'node:timers/promises'
import type { Defer } from '../defer.ts'
import { summarise } from '../report/statistics.ts'

/** Two people in one room, each at a browser of their own that sounds on a device of its own. */
export interface Couple {
  app: App
  sound: SoundServer
  owner: Browser
  listener: Browser
  /** The address of the room. */
  roomUrl: string
}

/** What both sounded in the same stretch of time, sample by sample. */
export interface Pair {
  owner: Float32Array
  listener: Float32Array
}

const trackTitle = 'Noise'
const trackSeconds = 400
const scanTimeoutMs = 20_000
/** The share of a recording in which both must sound the same. */
const minShare = 0.8

/** Starts everything: the server, the ears, the browsers; signs both up and puts a track on in a room. */
export async function openCouple(defer: Defer): Promise<Couple> {
  const noise = makeNoiseFolder([{ title: trackTitle, seconds: trackSeconds }])
  defer(() => noise.remove())
  const app = await startApp({ musicDir: noise.path })
  defer(() => app.stop())
  const sound = await startSoundServer(2)
  defer(() => sound.stop())
  const owner = await openBrowser({ sound: sound.environment(0) })
  defer(() => owner.close())
  const listener = await openBrowser({ sound: sound.environment(1) })
  defer(() => listener.close())
  await signUp(app, owner.context, makePerson('owner'))
  await signUp(app, listener.context, makePerson('listener'))
  const roomUrl = `${app.url}/room/${await createRoom(app, owner.context, { name: 'Bench' })}`
  const couple = { app, sound, owner, listener, roomUrl }
  await enter(couple)
  return couple
}

/** Both open the room; the owner adds the track, which becomes the current one. */
async function enter({ app, owner, listener, roomUrl }: Couple): Promise<void> {
  await waitForMusic(app, owner)
  await owner.page.goto(roomUrl)
  await region(owner.page, 'Find Music')
    .getByRole('button', { name: `Add ${trackTitle} to the queue` })
    .click()
  await listener.page.goto(roomUrl)
  for (const { page } of [owner, listener]) {
    await stage(page).getByRole('heading', { name: trackTitle }).waitFor()
  }
}

/** Resolves when the server has found its music, which it looks for after it started. */
async function waitForMusic(app: App, { context }: Browser): Promise<void> {
  const giveUpAt = performance.now() + scanTimeoutMs
  while (performance.now() < giveUpAt) {
    const answer = await context.request.get(`${app.url}/api/library`)
    const { total } = (await answer.json()) as { total: number }
    if (total > 0) return
    await delay(100)
  }
  throw new Error(`The server did not find its music within ${scanTimeoutMs} ms`)
}

/** The owner plays with their own button; resolves when the listener's page shows that it plays. */
export async function play({ owner, listener }: Couple): Promise<void> {
  await press(owner.page, 'Play')
  await stage(listener.page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
}

/** The owner pauses; resolves when the listener's page shows it. */
export async function pause({ owner, listener }: Couple): Promise<void> {
  await press(owner.page, 'Pause')
  await stage(listener.page).getByRole('button', { name: 'Play', exact: true }).waitFor()
}

/** The owner seeks 5 s ahead with the arrow key on their progress bar. */
export async function seekAhead({ owner }: Couple): Promise<void> {
  const bar = stage(owner.page).getByRole('slider', { name: 'Position' })
  await bar.focus()
  await bar.press('ArrowRight')
}

/** Records both while `work` runs. */
export async function recordDuring(sound: SoundServer, work: () => Promise<unknown>): Promise<Pair> {
  const stop = await sound.record()
  await work()
  const recording = await stop()
  return { owner: takeListener(recording, 0, 2), listener: takeListener(recording, 1, 2) }
}

/** The skew of a stretch of time: how much later the listener sounds than the owner, ms. */
export interface MeasuredSkew {
  /** Of the stretch as a whole: the median of its parts. */
  medianMs: number
  /** Of each twentieth of a second; null where one of the two was torn. */
  partsMs: (number | null)[]
}

/**
 * Compares what both sounded.
 * @throws Error where one of them is silent or they do not sound the same: that is no skew, however small
 */
export function judgeSkew(pair: Pair): MeasuredSkew {
  const whole = measureSkew(pair.owner, pair.listener)
  const windows = skewOverTime(pair.owner, pair.listener, { aroundMs: whole.lagMs })
  const partsMs = windows.map((window) => window.lagMs)
  const known = partsMs.filter((lagMs) => lagMs !== null)
  if (known.length === 0 || known.length < partsMs.length * minShare) {
    const [owner, listener] = [loudness(pair.owner), loudness(pair.listener)].map((level) => level.toFixed(4))
    throw new Error(
      `The two did not sound the same: ${known.length} of ${partsMs.length} parts match, with a skew of ` +
        `${whole.lagMs.toFixed(1)} ms; loudness ${owner} and ${listener}`,
    )
  }
  return { medianMs: summarise(known).p50, partsMs }
}

/** The skew of a stretch that begins now. */
export async function measureSkewNow(sound: SoundServer, ms: number): Promise<MeasuredSkew> {
  return judgeSkew(await recordDuring(sound, () => delay(ms)))
}

import { setTimeout as delay } from 'node:timers/promises'
import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { percentile } from '@earshot/core/statistics'
import { startApp, type App } from '../support/app.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { openNetworkProxy, type NetworkProxy } from '../support/network-proxy.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, createRoom, readPlayback } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseFolder } from './recording/noise-tracks.ts'
import type { Recorder } from './recording/recorder.ts'
import { windowMs } from './skew/session-windows.ts'

// One room with a track of Opus, 128 kbit/s, whose listener has a line of 1 Mbit/s.
test.describe.configure({ mode: 'serial' })

const megabit = 1_000_000
const readEveryMs = 1_000
/** A busy machine tears the sound and keeps pages from running, so it is tried again. */
const patience = { timeout: 240_000, intervals: [0] }
const mostSilentMs = 400

let app: App
let proxy: NetworkProxy
let owner: Person
let listener: Person
let roomId: string
const ends: (() => unknown)[] = []

test.beforeAll(async ({ browsers }) => {
  const music = makeNoiseFolder([{ title: 'Alpha', seconds: 900 }], 'opus')
  ends.unshift(() => music.remove())
  app = await startApp({ musicDir: music.path })
  ends.unshift(() => app.stop())
  proxy = await openNetworkProxy()
  ends.unshift(() => proxy.close())
  proxy.forwardTo(app.url)
  ;[owner, listener] = await Promise.all([
    openPerson(browsers[0], app, 'orla'),
    openPerson(browsers[1], app, 'leo'),
  ])
  ends.unshift(() => Promise.all([owner, listener].map(({ context }) => context.close())))
  roomId = await createRoom(app, owner.context, { name: 'Narrow' })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, ['Alpha'])
  await press(owner.page, 'Play')
  await waitUntilInSync(owner.page)
  proxy.setBandwidth(megabit)
  await openRoom(listener.page, proxy.url, roomId)
  await waitUntilInSync(listener.page)
})
test.afterAll(async () => {
  for (const end of ends) await end()
})

/** Downloads over the listener's line, again and again, until the signal aborts. */
async function download(signal: AbortSignal): Promise<void> {
  const { track_id: trackId } = await readPlayback(app, roomId)
  const url = `${proxy.url}${trackAudioPath(trackId ?? '')}`
  const cookies = await listener.context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  while (!signal.aborted) {
    const answer = await fetch(url, { headers: { cookie }, signal })
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
  }
}

/** The figure of the listener's badge, ms; null where it shows none. */
async function readBadge(): Promise<number | null> {
  const texts = await nowPlaying(listener.page)
    .getByText(/^In sync/)
    .allTextContents()
  const [, figure] = /([\d.]+) ms/.exec(texts[0] ?? '') ?? []
  return figure === undefined ? null : Number(figure)
}

/** Records both while `action` runs, and reads the badge meanwhile. */
async function hear(recorder: Recorder, action: () => Promise<unknown>) {
  const badges: number[] = []
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      const figure = await readBadge()
      if (figure !== null) badges.push(figure)
      await delay(readEveryMs)
    }
  })()
  const stop = await recorder.start()
  await action()
  isDone = true
  await reading
  const windows = (await stop()).windows()
  const lags = windows.flatMap(({ pairs }) => pairs.flatMap(({ lagMs }) => (lagMs === null ? [] : [lagMs])))
  const distances = lags.map((lagMs) => Math.abs(lagMs))
  const heard = {
    silentMs: windows.filter(({ sounding }) => !sounding[1]).length * windowMs,
    tornMs: windows.filter(({ pairs }) => pairs.some(({ lagMs }) => lagMs === null)).length * windowMs,
    skewP95: percentile(distances, 0.95) ?? Infinity,
    badgeP95: percentile(badges, 0.95) ?? Infinity,
    badges: badges.length,
  }
  console.log(`${test.info().title}: ${JSON.stringify(heard)}`)
  return heard
}

function expectTogether(heard: Awaited<ReturnType<typeof hear>>): void {
  expect(heard.silentMs).toBeLessThan(mostSilentMs)
  expect(heard.tornMs).toBeLessThan(mostSilentMs)
  expect(heard.badges).toBeGreaterThan(10)
  expect(heard.skewP95).toBeLessThan(15)
  expect(heard.skewP95).toBeLessThan(heard.badgeP95)
}

test('17.177 a download on a line of 1 Mbit/s neither silences a listener nor moves the sound', async ({
  recorder,
}) => {
  await expect(async () => {
    const heard = await hear(recorder, async () => {
      const stopping = new AbortController()
      const downloading = download(stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error
      })
      await delay(40_000)
      stopping.abort()
      await downloading
    })
    expectTogether(heard)
  }).toPass(patience)
})

test('17.177 a line that changes from 1 to 0.3 and to 5 Mbit/s neither silences a listener nor moves the sound', async ({
  recorder,
}) => {
  await expect(async () => {
    const heard = await hear(recorder, async () => {
      for (const [bandwidth, seconds] of [
        [1, 15],
        [0.3, 20],
        [5, 10],
      ] as const) {
        proxy.setBandwidth(bandwidth * megabit)
        await delay(seconds * 1_000)
      }
    })
    expectTogether(heard)
  }).toPass(patience)
})

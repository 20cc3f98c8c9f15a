import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from '../support/fixtures.ts'
import { openNetworkProxy, type NetworkProxy } from '../support/network-proxy.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { createRoomOfTwo, expect, test, type RoomOfTwo } from './fixtures.ts'
import type { Recorder } from './recording/recorder.ts'
import { windowMs } from './skew/session-windows.ts'

// One room, whose listener is far away.
test.describe.configure({ mode: 'serial' })

const eachWayMs = 200
/** Nobody who sounds is ever further off. */
const apartMs = 50
/** A busy machine tears the sound, so it is tried again. */
const mostWrongMs = 240
const patience = { timeout: 150_000, intervals: [0] }

let proxy: NetworkProxy
let two: RoomOfTwo
let listener: Person
let roomId: string

test.beforeAll(async ({ app, browsers }) => {
  proxy = await openNetworkProxy()
  proxy.forwardTo(app.url)
  two = await createRoomOfTwo(app, browsers, 'Antipodes')
  ;({ listener, roomId } = two)
  const { owner } = two
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, ['Alpha'])
  await press(owner.page, 'Play')
  await waitUntilInSync(owner.page)
})
test.afterAll(async () => {
  await two.close()
  await proxy.close()
})

/** The figure of the listener's badge, ms. */
async function readBadge(): Promise<number> {
  const text =
    (await nowPlaying(listener.page)
      .getByText(/^In sync/)
      .textContent()) ?? ''
  return Number(/([\d.]+) ms/.exec(text)?.[1] ?? NaN)
}

/** Records both while the listener arrives. Resolves to how long the listener sounded wrong, and how far off at the end. */
async function hearArrival(recorder: Recorder, arrive: () => Promise<unknown>) {
  const stop = await recorder.start()
  await arrive()
  await waitUntilInSync(listener.page)
  await delay(3_000)
  const badgeMs = await readBadge()
  const windows = (await stop()).windows()
  const lags = windows.map(({ sounding, pairs }) => (sounding[1] ? (pairs[0]?.lagMs ?? null) : undefined))
  const wrong = lags.filter((lagMs) => lagMs === null || (lagMs !== undefined && Math.abs(lagMs) > apartMs))
  const last = lags
    .slice(-1_000 / windowMs)
    .map((lagMs) => Math.abs(lagMs ?? Infinity))
    .toSorted((a, b) => a - b)
  const heard = {
    soundsMs: lags.filter((lagMs) => lagMs !== undefined).length * windowMs,
    wrongMs: wrong.length * windowMs,
    skewMs: last[Math.floor(last.length / 2)] ?? Infinity,
    badgeMs,
  }
  console.log(`${test.info().title}: ${JSON.stringify(heard)}`)
  return heard
}

for (const [name, jitterMs] of [
  ['400 ms', 0],
  ['400 ± 60 ms', 30],
] as const) {
  for (const [how, arrive] of [
    ['joins', () => listener.page.goto(`${proxy.url}/room/${roomId}`)],
    ['reloads', () => listener.page.reload()],
  ] as const) {
    test(`17.151 a listener ${name} away who ${how} hears nothing but the room, as close as the badge says`, async ({
      recorder,
    }) => {
      proxy.setDelay(eachWayMs, jitterMs)
      await expect(async () => {
        const heard = await hearArrival(recorder, arrive)
        expect(heard.soundsMs).toBeGreaterThan(2_500)
        expect(heard.wrongMs).toBeLessThan(mostWrongMs)
        expect(heard.skewMs).toBeLessThan(heard.badgeMs)
      }).toPass(patience)
    })
  }
}

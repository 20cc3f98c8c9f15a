import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signIn } from '@earshot/e2e/support/accounts'
import { startApp, type App } from '@earshot/e2e/support/app'
import { openBrowser, type Browser } from '@earshot/e2e/support/browser'
import { nowPlaying } from '@earshot/e2e/support/room-page'
import { systemClock } from '../server/src/clock/server-clock.ts'
import { longTracks } from '../server/test/long-tracks.ts'
import { type Defer, withDefer } from './defer.ts'
import type { Figure, Log, Measurement } from './measurement.ts'
import { startTcpProxy, type TcpProxy } from './network/tcp-proxy.ts'
import { callApi } from './product/http-client.ts'
import { connectOwner } from './product/owner-client.ts'
import { makeRoom, type Person, signUpPeople } from './product/product-server.ts'
import { summarise } from './report/statistics.ts'

const trackSeconds = 7_200
/** A file of its own, so that no row finds its sound in the browser's cache. */
const warmTitle = 'warm-up'
/** Until all rows are measured. */
const warmSeconds = 7_300
const joinedAtMs = 0.9 * trackSeconds * 1_000
const slowLine = 1_000_000
const goals = { cleanMs: 1_500, slowMs: 3_000, fetchedKb: 1_000 }
const patienceMs = 30_000
const scanTimeoutMs = 120_000
const runs = { clean: 3, slow: 3 }

/** Measures joining at 90 % of tracks of two hours, in each format, on a clean line and at 1 Mbit/s. */
export const codecs: Measurement = {
  name: 'codecs',
  title: 'Joining at 90 % of two hours: in sync, by the page, after opening the room with a cold audio cache',
  baseline: null,
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const bench = await openBench(defer, log)
      const figures: Figure[] = []
      for (const { name } of longTracks) figures.push(...(await measureTrack(bench, name, log)))
      return figures
    }),
}

interface CodecBench {
  app: App
  owner: Person
  proxy: TcpProxy
  browser: Browser
  /** The ids of the tracks by title. */
  tracks: Map<string, string>
  /** A room whose page loads all of the code. */
  warmRoomId: string
}

async function openBench(defer: Defer, log: Log): Promise<CodecBench> {
  const musicDir = mkdtempSync(join(tmpdir(), 'earshot-codecs-'))
  defer(() => rmSync(musicDir, { recursive: true, force: true }))
  for (const track of longTracks) track.write(join(musicDir, track.name), trackSeconds)
  const warmTrack = longTracks.find(({ name }) => name.startsWith('mp3-cbr'))
  warmTrack?.write(join(musicDir, `${warmTitle}.mp3`), warmSeconds)
  log('wrote the tracks')
  const app = await startApp({ musicDir })
  defer(() => app.stop())
  const [owner] = await signUpPeople(app.url, 1)
  if (!owner) throw new Error('There is no owner')
  const tracks = await waitForTracks(app.url, owner)
  log('the library has them')
  const targetPort = Number(new URL(app.url).port)
  const proxy = await startTcpProxy({ clock: systemClock, targetPort, seed: 1 })
  defer(() => proxy.close())
  const browser = await openBrowser()
  defer(() => browser.close())
  await signIn(app, browser.context, 'joiner', [proxy.origin])
  const warmRoomId = await openRoom({ app, owner }, tracks.get(warmTitle) ?? '')
  return { app, owner, proxy, browser, tracks, warmRoomId }
}

/** Resolves once the server's scan has found all tracks. */
async function waitForTracks(url: string, person: Person): Promise<Map<string, string>> {
  const giveUpAt = performance.now() + scanTimeoutMs
  while (performance.now() < giveUpAt) {
    const { body } = await callApi({ method: 'GET', url: `${url}/api/library`, cookie: person.cookie })
    const { tracks } = body as { tracks: { id: string; title: string }[] }
    if (tracks.length === longTracks.length + 1) return new Map(tracks.map(({ id, title }) => [title, id]))
    await delay(500)
  }
  throw new Error(`The server did not find its music within ${scanTimeoutMs} ms`)
}

/** Creates a room that plays a track from 90 % on. Its owner stays in it, without a page. */
async function openRoom({ app, owner }: { app: App; owner: Person }, trackId: string): Promise<string> {
  const roomId = await makeRoom({ app }, owner)
  const client = await connectOwner({ app, trackId }, owner, roomId)
  await client.command('play')
  await client.command('seek', joinedAtMs)
  return roomId
}

async function measureTrack(bench: CodecBench, name: string, log: Log): Promise<Figure[]> {
  const title = name.replace(/\.\w+$/, '')
  const roomId = await openRoom(bench, bench.tracks.get(title) ?? '')
  const join = (bandwidth: number | null) => timeJoin(bench, roomId, bandwidth)
  const clean = await repeat(runs.clean, () => join(null))
  // Uncompressed and lossless sound needs more than this line has.
  const isLossless = /^(wav|flac)/.test(title)
  const slow = isLossless ? [] : await repeat(runs.slow, () => join(slowLine))
  const fetched = (slow.length > 0 ? slow : clean).map(({ fetchedKb }) => fetchedKb)
  const show = (joins: Join[]) =>
    joins.map(({ ms, soundMs }) => `${soundMs.toFixed(0)} -> ${ms.toFixed(0)}`).join(', ')
  log(
    `${title}: clean ${show(clean)} ms, at 1 Mbit/s ${show(slow)} ms, ${fetched.map(Math.round).join(', ')} kB`,
  )
  const median = (joins: Join[]) => summarise(joins.map(({ ms }) => ms)).p50
  return [
    { name: `${title}, clean`, unit: 'ms', value: median(clean), goal: goals.cleanMs },
    ...(slow.length > 0
      ? [{ name: `${title}, 1 Mbit/s`, unit: 'ms', value: median(slow), goal: goals.slowMs } as const]
      : []),
    {
      name: `${title}, fetched before the first sound`,
      unit: 'kB',
      value: summarise(fetched).p50,
      goal: goals.fetchedKb,
    },
  ]
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let time = 0; time < times; time += 1) results.push(await work())
  return results
}

interface Join {
  /** From opening the page until it shows to be in sync, at most `patienceMs`. */
  ms: number
  soundMs: number
  /** Traffic on the line until the first sound. */
  fetchedKb: number
}

async function timeJoin(bench: CodecBench, roomId: string, bandwidth: number | null): Promise<Join> {
  const { browser, proxy, warmRoomId } = bench
  await warmUp(bench, `${proxy.origin}/room/${warmRoomId}`)
  const page = await browser.context.newPage()
  const sounds: { atMs: number; bytes: number }[] = []
  const note = () => void sounds.push({ atMs: performance.now(), bytes: proxy.down.passedBytes })
  await page.exposeFunction('reportFirstSound', note)
  await page.addInitScript(reportFirstSound)
  // Playwright itself looks every 500 ms only.
  const inSync = new Promise<void>((resolve) => {
    void page.exposeFunction('reportInSync', resolve)
  })
  await page.addInitScript(reportInSync)
  proxy.down.setBandwidth(bandwidth)
  try {
    const bytesBefore = proxy.down.passedBytes
    const startedAt = performance.now()
    await page.goto(`${proxy.origin}/room/${roomId}`, { waitUntil: 'commit' })
    const isInSync = await Promise.race([inSync.then(() => true), delay(patienceMs, false)])
    const ms = isInSync ? performance.now() - startedAt : patienceMs
    if (sounds.length === 0) note()
    const [{ atMs, bytes } = { atMs: startedAt, bytes: bytesBefore }] = sounds
    return { ms, soundMs: atMs - startedAt, fetchedKb: (bytes - bytesBefore) / 1_000 }
  } finally {
    proxy.down.setBandwidth(null)
    await page.close()
  }
}

/** Empties the browser's cache and fetches the page's code again, without the audio that is measured. */
async function warmUp({ browser: { context } }: CodecBench, roomUrl: string): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.goto(roomUrl)
  await nowPlaying(page)
    .getByText(/^In sync/)
    .waitFor({ timeout: patienceMs })
  await page.close()
}

/** Runs in the page: calls `reportFirstSound` when either player starts. */
function reportFirstSound(): void {
  const report = () => (globalThis as unknown as { reportFirstSound(): void }).reportFirstSound()
  // oxlint-disable-next-line typescript/unbound-method -- Called with its own node below
  const start = AudioBufferSourceNode.prototype.start
  AudioBufferSourceNode.prototype.start = function (...times) {
    report()
    start.apply(this, times)
  }
  addEventListener('playing', report, { capture: true, once: true })
}

/** Runs in the page: calls `reportInSync` when the listener's badge first says so. */
function reportInSync(): void {
  const isInSync = () =>
    [...document.querySelectorAll('button')].some(({ textContent }) =>
      /^Your sync:.*In sync/.test(textContent),
    )
  const look = () => {
    if (isInSync()) (globalThis as unknown as { reportInSync(): void }).reportInSync()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

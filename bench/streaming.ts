import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { trackStreamPath } from '@earshot/core/protocol/media-paths'
import { startApp } from '@earshot/e2e/support/app'
import { longTracks } from '../server/test/long-tracks.ts'
import { type Defer, withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import { monotonicMs } from './load/monotonic.ts'
import type { Figure, Measurement } from './measurement.ts'
import { callApi } from './product/http-client.ts'
import { connectOwner } from './product/owner-client.ts'
import { readProcessorMs } from './product/process-cost.ts'
import {
  makeRoom,
  measureWaveform,
  type ProductServer,
  signUpPeople,
  takeAt,
} from './product/product-server.ts'
import { summarise } from './report/statistics.ts'
import { type PlayedFile, readSize, requestS, startListeners } from './streaming/listeners.ts'

const people = 50
const trackSeconds = 600
const playedMs = 10_000
const settleMs = 2_000
const healthEveryMs = 25
/** The share of a core that all of them together may take, %. */
const goalPercent = 8
/** The most that streaming may add to the p99 of /health, ms. */
const allowedMs = 5
const scanTimeoutMs = 60_000
/** An MP3 and a FLAC file, which have an index, and a WAV file, which is read as it is. */
const names = ['mp3-cbr.mp3', 'flac-44.flac', 'wav-44.wav']

/** Measures what it costs the server that people listen: the ranges that their pages read. */
export const streaming: Measurement = {
  name: 'streaming',
  title: `${people} people listening for ${playedMs / 1_000} s: the ranges that their pages read`,
  baseline: 'a bare HTTP server of Node that pipes the same ranges of the same file',
  measure: (log) =>
    withDefer(async (defer) => {
      const bench = await openBench(defer)
      log('everybody is in the room')
      // Otherwise the server measures them half a minute after its start, which is now.
      for (const trackId of bench.tracks.values()) await measureWaveform(bench, trackId)
      log('the waveforms are measured')
      const figures: Figure[] = []
      for (const name of names) {
        const measured = await measureFile(bench, name, defer)
        figures.push(...measured)
        log(measured.map((figure) => `${figure.name}: ${figure.value.toFixed(2)} ${figure.unit}`).join(', '))
      }
      return figures
    }),
}

interface StreamingBench extends ProductServer {
  musicDir: string
  /** The ids of the tracks by title. */
  tracks: Map<string, string>
}

async function openBench(defer: Defer): Promise<StreamingBench> {
  const musicDir = mkdtempSync(join(tmpdir(), 'earshot-streaming-'))
  defer(() => rmSync(musicDir, { recursive: true, force: true }))
  for (const track of longTracks) {
    if (names.includes(track.name)) track.write(join(musicDir, track.name), trackSeconds)
  }
  const app = await startApp({ musicDir })
  defer(() => app.stop())
  const members = await signUpPeople(app.url, people)
  const owner = takeAt(members, 0)
  const tracks = await waitForTracks(app.url, owner.cookie)
  const [trackId = '', ...queued] = tracks.values()
  const bench = { app, people: members, trackId, musicDir, tracks }
  const roomId = await makeRoom(bench, owner)
  const client = await connectOwner(bench, owner, roomId)
  defer(() => client.close())
  for (const queuedId of queued) {
    const url = `${app.url}/api/rooms/${roomId}/queue`
    await callApi({ method: 'POST', url, body: { trackId: queuedId }, ...owner })
  }
  const load = await startLoad()
  defer(() => load.stop())
  const cookies = members.map(({ cookie }) => cookie)
  await load.run('open', { group: 'listeners', url: app.url, cookies, count: people })
  await load.run('join', { group: 'listeners', roomIds: [roomId], isAtOnce: false })
  return bench
}

async function waitForTracks(url: string, cookie: string): Promise<Map<string, string>> {
  const giveUpAt = performance.now() + scanTimeoutMs
  while (performance.now() < giveUpAt) {
    const { body } = await callApi({ method: 'GET', url: `${url}/api/library`, cookie })
    const { tracks } = body as { tracks: { id: string; title: string }[] }
    if (tracks.length === names.length) return new Map(tracks.map(({ id, title }) => [title, id]))
    await delay(100)
  }
  throw new Error(`The server did not find its music within ${scanTimeoutMs} ms`)
}

async function measureFile(bench: StreamingBench, name: string, defer: Defer): Promise<Figure[]> {
  const { app, musicDir, tracks } = bench
  const title = name.replace(/\.\w+$/, '')
  const cookies = bench.people.map(({ cookie }) => cookie)
  const url = `${app.url}${trackStreamPath(tracks.get(title) ?? '')}`
  const bytes = await readSize(url, cookies[0] ?? '')
  const rate = { bytes, bytesPerSecond: bytes / trackSeconds }
  const bare = await startFileServer(join(musicDir, name), defer)
  const idle = summarise(await probeHealth(app.url))
  const product = await measureListening({ ...rate, url }, cookies, { ...app, healthUrl: app.url })
  const slow = await measureListening({ ...rate, url }, cookies, { ...app, seconds: requestS.onSlowLine })
  const baseline = await measureListening({ ...rate, bytes: 0.9 * bytes, url: bare.url }, cookies, {
    ...bare,
    healthUrl: app.url,
  })
  return [
    {
      name: `${title}: processor of the server`,
      unit: '%',
      value: product.percent,
      baseline: baseline.percent,
      goal: goalPercent,
    },
    {
      name: `${title}: processor, on slow lines`,
      unit: '%',
      value: slow.percent,
    },
    { name: `${title}: a range p99`, unit: 'ms', value: product.rangeP99, baseline: baseline.rangeP99 },
    {
      name: `${title}: /health p99`,
      unit: 'ms',
      value: product.healthP99,
      baseline: idle.p99,
      goal: idle.p99 + allowedMs,
    },
    {
      // The share of the machine and of the listeners themselves, who are in the process that probes.
      name: `${title}: /health p99 while the bare server streams`,
      unit: 'ms',
      value: baseline.healthP99,
    },
  ]
}

interface Listening {
  percent: number
  rangeP99: number
  /** Of the product, whoever streams; 0 where it was not probed. */
  healthP99: number
}

async function measureListening(
  file: PlayedFile,
  cookies: readonly string[],
  { pid, seconds = requestS.onFastLine, healthUrl }: { pid: number; seconds?: number; healthUrl?: string },
): Promise<Listening> {
  const listeners = startListeners(file, cookies, seconds)
  await delay(settleMs)
  const rangesBefore = listeners.count()
  const processorBefore = readProcessorMs(pid)
  await delay(playedMs)
  // On a busy machine ranges are late, and so fewer than the listeners need: what counts is the cost of one.
  const msOfRange = (readProcessorMs(pid) - processorBefore) / (listeners.count() - rangesBefore)
  const percent = (msOfRange * listeners.perSecond) / 10
  // Probes cost as much as ranges, so they come after what is counted.
  const health = healthUrl === undefined ? [0] : await probeHealth(healthUrl)
  return { percent, rangeP99: summarise(await listeners.stop()).p99, healthP99: summarise(health).p99 }
}

/** Resolves to the ms that each answer of /health took. */
async function probeHealth(url: string): Promise<number[]> {
  const probes = Array.from({ length: playedMs / healthEveryMs / 2 }, async (_, index) => {
    await delay(index * healthEveryMs)
    const sentMs = monotonicMs()
    await callApi({ method: 'GET', url: `${url}/health` })
    return monotonicMs() - sentMs
  })
  return Promise.all(probes)
}

async function startFileServer(path: string, defer: Defer): Promise<{ url: string; pid: number }> {
  const child = fork(join(import.meta.dirname, 'baseline', 'file-server.ts'), [path])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  defer(async () => {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  })
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { copyRoom } from '@earshot/e2e/support/rooms'
import { withDefer } from './defer.ts'
import { monotonicMs } from './load/monotonic.ts'
import type { Figure, Measurement } from './measurement.ts'
import { callApi } from './product/http-client.ts'
import { readProcessorMs } from './product/process-cost.ts'
import { makeRoom, startProductServer, takeAt } from './product/product-server.ts'
import { summarise } from './report/statistics.ts'

const rooms = 10_000
/** Every so many rooms have a listener; of those, every third has two, and so on. */
const occupiedEvery = 10
const reads = 400
const everyMs = 20
/** Fewer than the requests that one address may send in 10 s. */
const readsPerAddress = 100
const goalMs = 5

/** Read again and again, in the order of the run. The baseline is first. */
interface Scenario {
  name: string
  /** The path of each read. */
  pathOf: (index: number, nextCursor: string) => string
  /** Whether the client has the list already. */
  isKnown?: boolean
}

const baselineName = 'livez'
/** More different pages than are read within the second for which one is kept. */
const differentPages = 100

const scenarios: Scenario[] = [
  { name: baselineName, pathOf: () => '/livez' },
  { name: 'first page', pathOf: () => '/api/rooms' },
  { name: 'first page, unchanged (304)', pathOf: () => '/api/rooms', isKnown: true },
  {
    name: 'first page, never kept',
    pathOf: (index) => `/api/rooms?limit=${1 + (index % differentPages)}`,
  },
  {
    name: 'second page, never kept',
    pathOf: (index, nextCursor) => `/api/rooms?cursor=${nextCursor}&limit=${1 + (index % differentPages)}`,
  },
  {
    name: 'public rooms that play first, never kept',
    pathOf: (index) => `/api/rooms?scope=public&order=playing&limit=${1 + (index % differentPages)}`,
  },
  { name: 'search by name, never kept', pathOf: (index) => `/api/rooms?q=room+${1_000 + index}` },
]

/** Measures what the list of rooms costs the server, and how long its client waits. */
export const roomsList: Measurement = {
  name: 'rooms-list',
  title: `The list of ${rooms} rooms, read every ${everyMs} ms`,
  baseline: 'GET /livez, which reads nothing',
  measure: (log) =>
    withDefer(async (defer) => {
      const folder = mkdtempSync(join(tmpdir(), 'earshot-times-'))
      defer(() => rmSync(folder, { recursive: true, force: true }))
      const timesFile = join(folder, 'times.json')
      const preload = join(import.meta.dirname, 'load', 'server-times.ts')
      const server = await startProductServer(defer, {
        people: 1,
        env: { BENCH_TIMES_FILE: timesFile, NODE_OPTIONS: `--import=${preload}` },
      })
      const { url } = server.app
      const roomId = await makeRoom(server, takeAt(server.people, 0))
      await copyRoom(server.app, roomId, rooms)
      await addListeners(server.app, roomId)
      log(`${rooms} rooms are stored, every ${occupiedEvery}th with listeners`)
      const runs: Run[] = []
      for (const scenario of scenarios) {
        runs.push(await runScenario(scenario, { url, pid: server.app.pid }))
        log(`${scenario.name}: done`)
      }
      await server.app.stop()
      const times = JSON.parse(readFileSync(timesFile, 'utf8')) as [name: string, ms: number][]
      const [base, ...others] = runs.map((run) => ({
        ...run,
        serverMs: times.filter(([name]) => name === run.name).map(([, ms]) => ms),
      }))
      if (!base) throw new Error('There is no baseline')
      return others.flatMap((run) => toFigures(run, base))
    }),
}

type App = Awaited<ReturnType<typeof startProductServer>>['app']

/** Stores listeners, who need not be connected to be counted. */
async function addListeners(app: App, roomId: string): Promise<void> {
  const db = await app.database()
  const memberships = []
  for (let number = occupiedEvery; number < rooms; number += occupiedEvery) {
    for (let listener = 0; listener <= number % 3; listener += 1) {
      memberships.push({ room_id: `${roomId}-${number}`, user_id: `listener${listener}`, joined_at: 1 })
    }
  }
  for (let from = 0; from < memberships.length; from += 500) {
    await db
      .insertInto('user_rooms')
      .values(memberships.slice(from, from + 500))
      .execute()
  }
}

interface Run {
  name: string
  /** The time of each answer at its client. */
  clientMs: number[]
  /** Processor time of the server's threads, a request. */
  processorMs: number
}

async function runScenario(
  { name, pathOf, isKnown = false }: Scenario,
  { url, pid }: { url: string; pid: number },
): Promise<Run> {
  const first = await callApi({ method: 'GET', url: `${url}/api/rooms`, from: '127.0.2.200' })
  const { nextCursor } = first.body as { nextCursor: string }
  const etag = String(first.headers.etag)
  const headers = { 'x-bench': name, ...(isKnown ? { 'if-none-match': etag } : {}) }
  const clientMs: number[] = []
  const beforeMs = readProcessorMs(pid)
  for (let index = 0; index < reads; index += 1) {
    const sentMs = monotonicMs()
    const from = `127.0.2.${1 + Math.floor(index / readsPerAddress)}`
    await callApi({ method: 'GET', url: url + pathOf(index, nextCursor), from, headers })
    clientMs.push(monotonicMs() - sentMs)
    await delay(everyMs)
  }
  return { name, clientMs, processorMs: (readProcessorMs(pid) - beforeMs) / reads }
}

function toFigures(run: Run & { serverMs: number[] }, base: Run & { serverMs: number[] }): Figure[] {
  const [server, bareServer] = [summarise(run.serverMs), summarise(base.serverMs)]
  const [client, bareClient] = [summarise(run.clientMs), summarise(base.clientMs)]
  const figure = (name: string, value: number, baseline: number): Figure => ({
    name: `${run.name}, ${name}`,
    unit: 'ms',
    value,
    baseline,
  })
  return [
    figure('server time, p50', server.p50, bareServer.p50),
    { ...figure('server time, p99', server.p99, bareServer.p99), goal: goalMs },
    figure('processor time', run.processorMs, base.processorMs),
    figure('at the client, p50', client.p50, bareClient.p50),
    figure('at the client, p99', client.p99, bareClient.p99),
  ]
}

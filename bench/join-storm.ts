import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@earshot/core/limits'
import { startPostgres } from '../server/test/postgres.ts'
import { type Defer, withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { connectOwner } from './product/owner-client.ts'
import { readProcessorMs } from './product/process-cost.ts'
import {
  makeRoom,
  measureWaveform,
  startProductServer,
  takeAt,
  type ProductServer,
} from './product/product-server.ts'
import { summarise } from './report/statistics.ts'
import { startBaselineServer, type BaselineServer } from './baseline/baseline-server.ts'
import { serverLimits } from '../server/src/server-limits.ts'
import { callRates } from '../server/src/limits/rates.ts'

const joiners = 20
/** At once. The larger is all that the users may join without waiting for the limit. */
const crowds = [200, joiners * callRates.join.points]
/** For the smaller crowd. */
const audiences = [
  { size: 10, goalP99Ms: 90 },
  { size: 1_000, goalP99Ms: 120 },
]
/** The first audience, and its goals, also for a room with as many entries in its queue as it can have. */
const queued = limits.queueMaxLength
/** The users in the room before; each can join so often without waiting for the limit. */
const audiencePeople = 1_000 / callRates.join.points
const storms = 3
const goalProcessorMs = 0.6
/** Until all events caused by a storm have been sent. */
const settleMs = 2 * serverLimits.presenceBatchMs

/** The results of one storm. */
interface Storm {
  answeredMs: number[]
  answerBytes: number
  frames: number
  bytes: number
  processorMs: number
}

/** Measures the join latency of sockets that join one room at the same instant, and the work and traffic it causes. */
export const joinStorm: Measurement = {
  name: 'join-storm',
  title: `${crowds.join(' and ')} sockets of ${joiners} users join one room at once, ${storms} times into each audience`,
  baseline: 'raw ws server that answers as many requests, sent at once, with as many bytes each',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const baseline = await startBaselineServer()
      defer(() => baseline.stop())
      const postgres = await startPostgres({ isDurable: true })
      defer(() => postgres.stop())
      const onSqlite = await measureEngine(defer, { load, baseline, log }, { name: '', crowds, env: {} })
      const env = { DATABASE_URL: postgres.url }
      // The smaller crowd only: the larger one follows within the grace period of the same users.
      const engine = { name: 'PostgreSQL, ', crowds: crowds.slice(0, 1), env }
      return [...onSqlite, ...(await measureEngine(defer, { load, baseline, log }, engine))]
    }),
}

/** Measures the storms on a server of its own. */
async function measureEngine(
  defer: Defer,
  { load, baseline, log }: { load: Load; baseline: BaselineServer; log: (line: string) => void },
  engine: { name: string; crowds: number[]; env: Record<string, string> },
): Promise<Figure[]> {
  const server = await startProductServer(defer, { people: joiners + audiencePeople, env: engine.env })
  const owner = takeAt(server.people, 0)
  const roomId = await makeRoom(server, owner)
  // Otherwise the server measures it half a minute after its start, during a storm. It tells members of a room with
  // the track.
  const elsewhere = await connectOwner(server, owner, await makeRoom(server, owner))
  await measureWaveform(server, server.trackId)
  elsewhere.close()
  const figures: Figure[] = []
  let present = 0
  for (const { size, goalP99Ms } of audiences) {
    await joinAudience(load, server, { roomId, from: present, count: size - present })
    present = size
    log(`${engine.name}${size} sockets are in the room`)
    for (const [index, sockets] of engine.crowds.entries()) {
      const outcome = await runStorms(load, server, baseline, { roomId, sockets })
      const goals = index === 0 ? { goalP99Ms, goalProcessorMs } : {}
      figures.push(...toFigures(`${engine.name}${sockets} into ${size}`, goals, outcome))
    }
  }
  figures.push(...(await measureLongQueue(load, server, baseline, { name: engine.name, present })))
  await load.run('close', { group: 'audience' })
  return figures
}

/** Measures storms into another room, whose queue is full: each joiner gets it. */
async function measureLongQueue(
  load: Load,
  server: ProductServer,
  baseline: BaselineServer,
  { name, present }: { name: string; present: number },
): Promise<Figure[]> {
  const [sockets = 0] = crowds
  const [{ size, goalP99Ms } = { size: 0, goalP99Ms: 0 }] = audiences
  const person = takeAt(server.people, joiners)
  const roomId = await makeRoom(server, person)
  const owner = await connectOwner(server, person, roomId)
  await owner.fillQueue(queued)
  await joinAudience(load, server, { roomId, from: present, count: size })
  const outcome = await runStorms(load, server, baseline, { roomId, sockets })
  owner.close()
  return toFigures(
    `${name}${sockets} into ${size}, ${queued} queued`,
    { goalP99Ms, goalProcessorMs },
    outcome,
  )
}

async function joinAudience(
  load: Load,
  { app, people }: ProductServer,
  { roomId, from, count }: { roomId: string; from: number; count: number },
): Promise<void> {
  const group = 'audience'
  const cookies = people.slice(joiners).map((person) => person.cookie)
  await load.run('open', { group, url: app.url, cookies, count })
  await load.run('join', { group, roomIds: [roomId], isAtOnce: false, from })
  await delay(settleMs)
}

/** How many sockets join which room. */
interface Crowd {
  roomId: string
  sockets: number
}

async function runStorms(
  load: Load,
  server: ProductServer,
  baseline: BaselineServer,
  crowd: Crowd,
): Promise<{ ours: Storm[]; theirs: Storm[] }> {
  const ours: Storm[] = []
  const theirs: Storm[] = []
  for (let count = 0; count < storms; count += 1) {
    const own = await stormProduct(load, server, crowd)
    ours.push(own)
    theirs.push(await stormBaseline(load, baseline, crowd, own.answerBytes))
    await delay(callRates.join.perMs) // joins are counted by user
  }
  return { ours, theirs }
}

function toFigures(
  name: string,
  goals: { goalP99Ms?: number; goalProcessorMs?: number },
  { ours, theirs }: { ours: Storm[]; theirs: Storm[] },
): Figure[] {
  const [own, raw] = [summariseAll(ours), summariseAll(theirs)]
  const [p99, processor] = [toGoal(goals.goalP99Ms), toGoal(goals.goalProcessorMs)]
  return [
    { name: `${name}, joined p50`, unit: 'ms', value: own.p50, baseline: raw.p50 },
    { name: `${name}, joined p99`, unit: 'ms', value: own.p99, baseline: raw.p99, ...p99 },
    { name: `${name}, processor a join`, unit: 'ms', value: own.processorMs, ...processor },
    { name: `${name}, messages a socket`, unit: '', value: own.frames, baseline: raw.frames },
    { name: `${name}, received a socket`, unit: 'kB', value: own.bytes / 1_000, baseline: raw.bytes / 1_000 },
  ]
}

const toGoal = (goal: number | undefined): Pick<Figure, 'goal'> => (goal === undefined ? {} : { goal })

async function stormProduct(load: Load, { app, people }: ProductServer, crowd: Crowd): Promise<Storm> {
  const cookies = people.slice(0, joiners).map((person) => person.cookie)
  return await storm(load, { group: 'product', url: app.url, cookies, ...crowd, pid: app.pid })
}

async function stormBaseline(
  load: Load,
  baseline: BaselineServer,
  { sockets }: Crowd,
  answerBytes: number,
): Promise<Storm> {
  await baseline.configure({ frames: [], answerBytes, journal: null })
  const { url, pid } = baseline
  return await storm(load, { group: 'baseline', url, cookies: [], roomId: '', sockets, pid })
}

interface StormTarget extends Crowd {
  group: string
  url: string
  cookies: string[]
  /** Whose processor time counts. */
  pid: number
}

async function storm(load: Load, { group, url, cookies, roomId, sockets, pid }: StormTarget): Promise<Storm> {
  await load.run('open', { group, url, cookies, count: sockets })
  await load.run('startRecording', { group })
  const before = readProcessorMs(pid)
  const outcome = await load.run('join', { group, roomIds: [roomId], isAtOnce: true })
  const processorMs = readProcessorMs(pid) - before
  await delay(settleMs)
  const { frames, bytes } = await load.run('stopRecording', { group })
  await load.run('close', { group })
  return { ...outcome, frames, bytes, processorMs }
}

function summariseAll(all: Storm[]) {
  const joins = all.reduce((sum, storm) => sum + storm.answeredMs.length, 0)
  const mean = (count: (storm: Storm) => number) => all.reduce((sum, storm) => sum + count(storm), 0) / joins
  return {
    ...summarise(all.flatMap((storm) => storm.answeredMs)),
    frames: mean((storm) => storm.frames),
    bytes: mean((storm) => storm.bytes),
    processorMs: mean((storm) => storm.processorMs),
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { findFreePort } from '../server/test/free-port.ts'
import { type Defer, withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import { type CommandSource, runRound } from './load/rounds.ts'
import type { Figure, Measurement } from './measurement.ts'
import { insertPeople } from './product/inserted-people.ts'
import { connectOwner } from './product/owner-client.ts'
import { inspectFlag, readResidentKb, settle } from './product/process-cost.ts'
import { strainFigures, watchStrain } from './product/strain.ts'
import {
  type Person,
  type ProductServer,
  makeRoom,
  startProductServer,
  takeAt,
} from './product/product-server.ts'
import { summarise } from './report/statistics.ts'
import { callRates } from '../server/src/limits/rates.ts'

const steps = [1_000, 5_000, 10_000]
const listenersPerRoom = 100
const settleMs = 10_000
const watchedMs = 20_000
/** A round has as many commands as the owner may send in a second, so that a stall is no reason to refuse. */
const pace = { commands: callRates.command.points, everyMs: 150 }
const rounds = 3

/** Measures what one process takes as more and more listen, in rooms of 100 that play. */
export const scale: Measurement = {
  name: 'scale',
  title: `One process with ${steps.join(', ')} listeners in playing rooms of ${listenersPerRoom}`,
  baseline: null,
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const inspectPort = await findFreePort()
      const env = { NODE_OPTIONS: inspectFlag(inspectPort) }
      const server = await startProductServer(defer, { people: 1, env })
      // A process of its own notes when commands arrive, undisturbed by the other connections.
      const watched = await openWatchedRoom(server, await openLoad(defer))
      const load = await openLoad(defer)
      const figures: Figure[] = []
      let listeners = listenersPerRoom
      for (const step of steps) {
        await addListeners(server, load, { group: `until ${step}`, count: step - listeners })
        listeners = step
        log(`${step} listen`)
        const measured = await measureStep(
          { server, inspectPort, loads: [watched.load, load] },
          watched,
          step,
        )
        for (const { name, unit, value } of measured) log(`${name}: ${value.toFixed(1)} ${unit}`)
        figures.push(...measured)
      }
      return figures
    }),
}

async function openLoad(defer: Defer): Promise<Load> {
  const load = await startLoad()
  defer(() => load.stop())
  return load
}

interface WatchedRoom extends CommandSource {
  load: Load
}

/** Opens a room whose owner sends commands. */
async function openWatchedRoom(server: ProductServer, load: Load): Promise<WatchedRoom> {
  const owner = takeAt(server.people, 0)
  const roomId = await makeRoom(server, owner)
  const remote = await connectOwner(server, owner, roomId)
  const group = 'watched'
  await joinAsPages(server, load, { group, roomIds: [roomId], count: listenersPerRoom })
  const command = async (index: number): Promise<number> =>
    (await remote.command(index % 2 === 0 ? 'play' : 'pause')).sequence_number
  return { load, group, listeners: listenersPerRoom, command }
}

/** Adds listeners to new rooms that play. */
async function addListeners(
  server: ProductServer,
  load: Load,
  { group, count }: { group: string; count: number },
): Promise<void> {
  const owners = await insertPeople(server, count / listenersPerRoom)
  // The owners stay: without them the controls would pass on.
  const roomIds = await pLimit(4).map(owners, (owner) => openPlayingRoom(server, owner))
  await joinAsPages(server, load, { group, roomIds, count })
}

async function openPlayingRoom(server: ProductServer, person: Person): Promise<string> {
  const roomId = await makeRoom(server, person)
  const owner = await connectOwner(server, person, roomId)
  await owner.command('play')
  return roomId
}

/** Connects listeners, an account each, who join the rooms in turn and send what pages send. */
async function joinAsPages(
  server: ProductServer,
  load: Load,
  { group, roomIds, count }: { group: string; roomIds: string[]; count: number },
): Promise<void> {
  const people = await insertPeople(server, count)
  const cookies = people.map((person) => person.cookie)
  await load.run('open', { group, url: server.app.url, cookies, count })
  await load.run('join', { group, roomIds, isAtOnce: false })
  await load.run('simulatePages', { group, roomIds })
}

async function measureStep(
  { server, inspectPort, loads }: { server: ProductServer; inspectPort: number; loads: Load[] },
  watched: WatchedRoom,
  step: number,
): Promise<Figure[]> {
  const { pid } = server.app
  await delay(settleMs)
  const endRest = await watchStrain({ server: server.app, loads })
  await delay(watchedMs)
  const atRest = await endRest()
  const endCommands = await watchStrain({ server: server.app, loads })
  const receivedByAllMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await delay(callRates.command.perMs)
    receivedByAllMs.push(...(await runRound(watched.load, watched, pace)).receivedByAllMs)
  }
  const { p50, p99 } = summarise(receivedByAllMs)
  const duringCommands = await endCommands()
  await settle(inspectPort)
  return [
    { name: `${step}: processor at rest`, unit: '%', value: atRest.serverPercent },
    { name: `${step}: memory`, unit: 'MB', value: readResidentKb(pid) / 1_024 },
    { name: `${step}: command at the last of 100, p50`, unit: 'ms', value: p50 },
    { name: `${step}: command at the last of 100, p99`, unit: 'ms', value: p99 },
    ...strainFigures(`${step}: during commands`, duringCommands),
  ]
}

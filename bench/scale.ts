import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import { type CommandSource, runRound } from './load/rounds.ts'
import type { Figure, Measurement } from './measurement.ts'
import { connectOwner } from './product/owner-client.ts'
import { readProcessorMs, readResidentKb } from './product/process-cost.ts'
import { type ProductServer, makeRoom, startProductServer, takeAt } from './product/product-server.ts'
import { summarise } from './report/statistics.ts'

const steps = [1_000, 5_000, 10_000]
const listenersPerRoom = 100
/** Each may have 100 connections. */
const people = 120
const settleMs = 10_000
const watchedMs = 20_000
const pace = { commands: 100, everyMs: 100 }

/** Measures what one process takes as more and more listen, in rooms of 100 that play. */
export const scale: Measurement = {
  name: 'scale',
  title: `One process with ${steps.join(', ')} listeners in playing rooms of ${listenersPerRoom}`,
  baseline: null,
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const server = await startProductServer(defer, { people })
      log(`${people} people have signed up`)
      const watched = await openRoomOfListeners(server, load, 'watched')
      defer(() => load.run('close', { group: 'watched' }))
      const figures: Figure[] = []
      let listeners = listenersPerRoom
      for (const step of steps) {
        const group = `until ${step}`
        await addListeners(server, load, { group, count: step - listeners })
        defer(() => load.run('close', { group }))
        listeners = step
        log(`${step} listen`)
        figures.push(...(await measureStep(server, load, watched, step)))
      }
      return figures
    }),
}

/** Opens a room whose owner sends commands. */
async function openRoomOfListeners(server: ProductServer, load: Load, group: string): Promise<CommandSource> {
  const owner = takeAt(server.people, 0)
  const roomId = await makeRoom(server, owner)
  const remote = await connectOwner(server, owner, roomId)
  const cookies = server.people.map((person) => person.cookie)
  await load.run('open', { group, url: server.app.url, cookies, count: listenersPerRoom })
  await load.run('join', { group, roomIds: [roomId], isAtOnce: false })
  const command = async (index: number): Promise<number> =>
    (await remote.command(index % 2 === 0 ? 'play' : 'pause')).sequence_number
  return { group, listeners: listenersPerRoom, command }
}

/** Adds listeners to new rooms that play, with the traffic of pages. */
async function addListeners(
  server: ProductServer,
  load: Load,
  { group, count }: { group: string; count: number },
): Promise<void> {
  const numbers = Array.from({ length: count / listenersPerRoom }, (_, index) => index)
  const roomIds = await pLimit(4).map(numbers, async (number) => {
    const person = takeAt(server.people, number % server.people.length)
    const roomId = await makeRoom(server, person)
    const owner = await connectOwner(server, person, roomId)
    await owner.command('play')
    owner.close()
    return roomId
  })
  const cookies = server.people.map((person) => person.cookie)
  await load.run('open', { group, url: server.app.url, cookies, count })
  await load.run('join', { group, roomIds, isAtOnce: false })
  await load.run('simulatePages', { group, roomIds })
}

async function measureStep(
  server: ProductServer,
  load: Load,
  watched: CommandSource,
  step: number,
): Promise<Figure[]> {
  await delay(settleMs)
  const { pid } = server.app
  const [processorBefore, startedAt] = [readProcessorMs(pid), performance.now()]
  await delay(watchedMs)
  const processorMs = readProcessorMs(pid) - processorBefore
  const elapsedMs = performance.now() - startedAt
  const { receivedByAllMs } = await runRound(load, watched, pace)
  return [
    { name: `${step}: processor at rest`, unit: '%', value: (processorMs / elapsedMs) * 100 },
    { name: `${step}: memory`, unit: 'MB', value: readResidentKb(pid) / 1_024 },
    { name: `${step}: command at the last of 100, p50`, unit: 'ms', value: summarise(receivedByAllMs).p50 },
    { name: `${step}: command at the last of 100, p99`, unit: 'ms', value: summarise(receivedByAllMs).p99 },
  ]
}

import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import type { Figure, Log, Measurement } from './measurement.ts'
import { insertPeople } from './product/inserted-people.ts'
import { connectOwner } from './product/owner-client.ts'
import { readProcessorMs } from './product/process-cost.ts'
import { makeRoom, startProductServer, takeAt, type ProductServer } from './product/product-server.ts'

const crowds = [
  { rooms: 500, listenersPerRoom: 4 },
  { rooms: 1, listenersPerRoom: 1_000 },
]
/** Users who own the rooms, ten at most each. */
const owners = 50
const watchedMs = 60_000
const startedAtATime = 4
const goals = { messages: 0.4, bytes: 60 }

interface Crowd {
  rooms: number
  listenersPerRoom: number
}

/** Measures the cost of rooms in steady playback, which needs hardly any messages. */
export const manyRooms: Measurement = {
  name: 'many-rooms',
  title: `Rooms that just play, for ${watchedMs / 1_000} s: 500 with 4 listeners each, then one with 1,000`,
  baseline: null,
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const server = await startProductServer(defer, { people: 1 })
      const figures: Figure[] = []
      for (const crowd of crowds) figures.push(...(await watchCrowd(load, server, crowd, log)))
      return figures
    }),
}

async function watchCrowd(load: Load, server: ProductServer, crowd: Crowd, log: Log): Promise<Figure[]> {
  const group = `rooms of ${crowd.listenersPerRoom}`
  const count = crowd.rooms * crowd.listenersPerRoom
  const { roomIds, closeOwners } = await startRooms(server, crowd.rooms)
  // An account each: members report how they play by account.
  const cookies = (await insertPeople(server, count)).map((person) => person.cookie)
  await load.run('open', { group, url: server.app.url, cookies, count })
  await load.run('join', { group, roomIds, isAtOnce: false })
  log(`${count} listeners have joined ${group}`)
  await load.run('simulatePages', { group, roomIds })
  await delay(watchedMs / 6) // until all have started and all joins are over
  const processorBefore = readProcessorMs(server.app.pid)
  await load.run('startRecording', { group })
  await delay(watchedMs)
  const { frames, bytes, sequenceNumbers } = await load.run('stopRecording', { group })
  const processorMs = readProcessorMs(server.app.pid) - processorBefore
  await load.run('close', { group })
  closeOwners()
  const perSecond = (amount: number) => amount / count / (watchedMs / 1_000)
  return [
    {
      name: `${group}: messages to a listener`,
      unit: 'per s',
      value: perSecond(frames),
      goal: goals.messages,
    },
    { name: `${group}: bytes to a listener`, unit: 'per s', value: perSecond(bytes), goal: goals.bytes },
    { name: `${group}: playback changes, in all`, unit: '', value: sequenceNumbers.length, goal: 0 },
    { name: `${group}: processor of the server`, unit: '%', value: (processorMs / watchedMs) * 100 },
  ]
}

/** Creates the rooms and starts playback in each. Their owners stay: without them the controls would pass on. */
async function startRooms(
  server: ProductServer,
  rooms: number,
): Promise<{ roomIds: string[]; closeOwners: () => void }> {
  const numbers = Array.from({ length: rooms }, (_, index) => index)
  const people = await insertPeople(server, Math.min(rooms, owners))
  const opened = await pLimit(startedAtATime).map(numbers, async (number) => {
    const person = takeAt(people, number % people.length)
    const roomId = await makeRoom(server, person)
    const owner = await connectOwner(server, person, roomId)
    await owner.command('play')
    return { roomId, owner }
  })
  return {
    roomIds: opened.map(({ roomId }) => roomId),
    closeOwners: () => {
      for (const { owner } of opened) owner.close()
    },
  }
}

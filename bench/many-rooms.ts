import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import type { Measurement } from './measurement.ts'
import { connectOwner } from './product/owner-client.ts'
import { readProcessorMs } from './product/process-cost.ts'
import { makeRoom, startProductServer, takeAt, type ProductServer } from './product/product-server.ts'

const rooms = 500
const listenersPerRoom = 4
const people = 50
const watchedMs = 60_000
const startedAtATime = 4

/** Measures the cost of rooms in steady playback, which needs hardly any messages. */
export const manyRooms: Measurement = {
  name: 'many-rooms',
  title: `${rooms} rooms with ${listenersPerRoom} listeners each, just playing, for ${watchedMs / 1_000} s`,
  baseline: null,
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const server = await startProductServer(defer, { people })
      const group = 'listeners'
      const count = rooms * listenersPerRoom
      const roomIds = await startRooms(server)
      log(`${rooms} rooms play`)
      const cookies = server.people.map((person) => person.cookie)
      await load.run('open', { group, url: server.app.url, cookies, count })
      defer(() => load.run('close', { group }))
      await load.run('join', { group, roomIds, isAtOnce: false })
      log(`${count} listeners have joined`)
      await load.run('simulatePages', { group, roomIds })
      await delay(watchedMs / 6) // until all have started and all joins are over
      const processorBefore = readProcessorMs(server.app.pid)
      await load.run('startRecording', { group })
      await delay(watchedMs)
      const { frames, bytes, sequenceNumbers } = await load.run('stopRecording', { group })
      const processorMs = readProcessorMs(server.app.pid) - processorBefore
      const perListenerAndSecond = (amount: number) => amount / count / (watchedMs / 1_000)
      return [
        { name: 'messages to a listener', unit: 'per s', value: perListenerAndSecond(frames) },
        { name: 'bytes to a listener', unit: 'per s', value: perListenerAndSecond(bytes) },
        { name: 'of them playback changes, in all', unit: '', value: sequenceNumbers.length, goal: 0 },
        { name: 'processor of the server', unit: '%', value: (processorMs / watchedMs) * 100 },
      ]
    }),
}

/** Creates the rooms, owned by the users in turn, and starts playback in each. Resolves to their ids. */
async function startRooms(server: ProductServer): Promise<string[]> {
  const numbers = Array.from({ length: rooms }, (_, index) => index)
  return await pLimit(startedAtATime).map(numbers, async (number) => {
    const person = takeAt(server.people, number % server.people.length)
    const roomId = await makeRoom(server, person)
    const owner = await connectOwner(server, person, roomId)
    await owner.command('play')
    owner.close()
    return roomId
  })
}

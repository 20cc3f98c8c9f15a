import { setTimeout as delay } from 'node:timers/promises'
import { copyRoom } from '@earshot/e2e/rooms'
import { withDefer } from './defer.ts'
import { monotonicMs } from './load/monotonic.ts'
import type { Figure, Measurement } from './measurement.ts'
import { callApi } from './product/http-client.ts'
import { makeRoom, startProductServer, takeAt } from './product/product-server.ts'
import { summarise } from './report/statistics.ts'

const rooms = 10_000
const reads = 400
const everyMs = 20
/** Fewer than the requests that one address may send in 10 s. */
const readsPerAddress = 100
const goalMs = 5

/** Measures how long the list of rooms takes where there are as many as it lists at most. */
export const roomsList: Measurement = {
  name: 'rooms-list',
  title: `The list of ${rooms} rooms, read every ${everyMs} ms`,
  baseline: 'GET /livez, which reads nothing',
  measure: (log) =>
    withDefer(async (defer) => {
      const server = await startProductServer(defer, { people: 1 })
      const { url } = server.app
      await copyRoom(server.app, await makeRoom(server, takeAt(server.people, 0)), rooms)
      log(`${rooms} rooms are stored`)
      const bare = await readAll(`${url}/livez`)
      return [
        ...toFigures('first page', await readAll(`${url}/api/rooms`), bare),
        ...toFigures('search by name', await readAll(`${url}/api/rooms?q=room+77`), bare),
      ]
    }),
}

/** Resolves to the ms that each answer took. */
async function readAll(url: string): Promise<number[]> {
  const tookMs: number[] = []
  for (let index = 0; index < reads; index += 1) {
    const sentMs = monotonicMs()
    await callApi({ method: 'GET', url, from: `127.0.2.${1 + Math.floor(index / readsPerAddress)}` })
    tookMs.push(monotonicMs() - sentMs)
    await delay(everyMs)
  }
  return tookMs
}

function toFigures(name: string, ours: readonly number[], bare: readonly number[]): Figure[] {
  const [own, base] = [summarise(ours), summarise(bare)]
  return [
    { name: `${name}, p50`, unit: 'ms', value: own.p50, baseline: base.p50 },
    { name: `${name}, p99`, unit: 'ms', value: own.p99, baseline: base.p99, goal: goalMs },
  ]
}

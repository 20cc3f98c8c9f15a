import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@earshot/core/limits'
import { withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import type { Measurement } from './measurement.ts'
import { makeRoom, startProductServer, takeAt, type ProductServer } from './product/product-server.ts'
import { summarise } from './report/statistics.ts'
import { startBaselineServer, type BaselineServer } from './baseline/baseline-server.ts'

const people = 20
const sockets = people * limits.rates.join.points
const storms = 3
/** Until all events caused by a storm have been sent. */
const settleMs = 2 * limits.presenceBatchMs

/** The results of one storm. */
interface Storm {
  answeredMs: number[]
  answerBytes: number
  frames: number
  bytes: number
}

/** Measures the join latency of 200 sockets that join one room at the same instant, and the traffic it causes. */
export const joinStorm: Measurement = {
  name: 'join-storm',
  title: `${sockets} sockets of ${people} users join one room at once, ${storms} times`,
  baseline: 'raw ws server that answers as many requests, sent at once, with as many bytes each',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const server = await startProductServer(defer, { people })
      const baseline = await startBaselineServer()
      defer(() => baseline.stop())
      const ours: Storm[] = []
      const theirs: Storm[] = []
      for (let storm = 0; storm < storms; storm += 1) {
        const own = await stormProduct(load, server)
        ours.push(own)
        theirs.push(await stormBaseline(load, baseline, own.answerBytes))
        log(`storm ${storm + 1} is over`)
        if (storm < storms - 1) await delay(limits.rates.join.perMs) // joins are counted by user
      }
      const [own, raw] = [summariseAll(ours), summariseAll(theirs)]
      return [
        { name: 'joined p50', unit: 'ms', value: own.p50, baseline: raw.p50 },
        { name: 'joined p99', unit: 'ms', value: own.p99, baseline: raw.p99 },
        { name: 'messages a socket', unit: '', value: own.frames, baseline: raw.frames },
        { name: 'received a socket', unit: 'kB', value: own.bytes / 1_000, baseline: raw.bytes / 1_000 },
      ]
    }),
}

async function stormProduct(load: Load, server: ProductServer): Promise<Storm> {
  const roomId = await makeRoom(server, takeAt(server.people, 0))
  const cookies = server.people.map((person) => person.cookie)
  return await storm(load, { group: 'product', url: server.app.url, cookies, roomId })
}

async function stormBaseline(load: Load, baseline: BaselineServer, answerBytes: number): Promise<Storm> {
  await baseline.configure({ frames: [], answerBytes, journal: null })
  return await storm(load, { group: 'baseline', url: baseline.url, cookies: [], roomId: '' })
}

async function storm(
  load: Load,
  { group, url, cookies, roomId }: { group: string; url: string; cookies: string[]; roomId: string },
): Promise<Storm> {
  await load.run('open', { group, url, cookies, count: sockets })
  await load.run('startRecording', { group })
  const outcome = await load.run('join', { group, roomIds: [roomId], isAtOnce: true })
  await delay(settleMs)
  const { frames, bytes } = await load.run('stopRecording', { group })
  await load.run('close', { group })
  return { ...outcome, frames, bytes }
}

function summariseAll(all: Storm[]) {
  const mean = (count: (storm: Storm) => number) =>
    all.reduce((sum, storm) => sum + count(storm), 0) / (all.length * sockets)
  return {
    ...summarise(all.flatMap((storm) => storm.answeredMs)),
    frames: mean((storm) => storm.frames),
    bytes: mean((storm) => storm.bytes),
  }
}

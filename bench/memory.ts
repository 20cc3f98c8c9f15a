import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../server/test/free-port.ts'
import { type Defer, withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import type { Measurement, Log } from './measurement.ts'
import { insertPeople } from './product/inserted-people.ts'
import { inspectFlag, readLowestResidentKb, settle } from './product/process-cost.ts'
import { makeRoom, startProductServer, takeAt } from './product/product-server.ts'
import { startBaselineServer } from './baseline/baseline-server.ts'
import { callRates, otherRates } from '../server/src/limits/rates.ts'

/** Below, the process itself still grows: its first connections take what later ones use again. */
const few = 2_000
const many = 4_000
const goalKb = 20
/** Until the limits of connecting and joining have forgotten who did. */
const settleMs = 1_000 + Math.max(callRates.join.perMs, otherRates.connect.perMs)

/** Measures the server's memory per connection, between 2,000 and 4,000 joined and idle ones. */
export const memory: Measurement = {
  name: 'memory',
  title: `Memory of the server: one more connection, between ${few} and ${many} that are quiet`,
  baseline: 'raw ws server with as many connections',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const ours = await weighProduct(defer, load, log)
      const theirs = await weighBaseline(defer, load)
      const perConnection = ({ fewKb, manyKb }: Weight) => (manyKb - fewKb) / (many - few)
      return [
        {
          name: `one more connection from ${few}`,
          unit: 'kB',
          value: perConnection(ours),
          baseline: perConnection(theirs),
          goal: goalKb,
        },
        { name: `in all at ${few}`, unit: 'kB', value: ours.fewKb, baseline: theirs.fewKb },
        { name: `in all at ${many}`, unit: 'kB', value: ours.manyKb, baseline: theirs.manyKb },
      ]
    }),
}

/** The memory of a process with few and with many connections. */
interface Weight {
  fewKb: number
  manyKb: number
}

async function weighProduct(defer: Defer, load: Load, log: Log): Promise<Weight> {
  const inspectPort = await findFreePort()
  const server = await startProductServer(defer, {
    people: 1,
    env: { NODE_OPTIONS: inspectFlag(inspectPort) },
  })
  const roomId = await makeRoom(server, takeAt(server.people, 0))
  const seat = async (group: string, count: number) => {
    const cookies = (await insertPeople(server, count)).map((person) => person.cookie)
    await load.run('open', { group, url: server.app.url, cookies, count })
    defer(() => load.run('close', { group }))
    await load.run('join', { group, roomIds: [roomId], isAtOnce: false })
    log(`${count} more have joined`)
    await delay(settleMs)
    await settle(inspectPort)
    return await readLowestResidentKb(server.app.pid)
  }
  return { fewKb: await seat('few', few), manyKb: await seat('many', many - few) }
}

async function weighBaseline(defer: Defer, load: Load): Promise<Weight> {
  const inspectPort = await findFreePort()
  const baseline = await startBaselineServer([inspectFlag(inspectPort)])
  defer(() => baseline.stop())
  const seat = async (group: string, count: number) => {
    await load.run('open', { group, url: baseline.url, cookies: [], count })
    defer(() => load.run('close', { group }))
    await settle(inspectPort)
    return await readLowestResidentKb(baseline.pid)
  }
  return { fewKb: await seat('few raw', few), manyKb: await seat('many raw', many - few) }
}

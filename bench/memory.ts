import { findFreePort } from '../server/test/free-port.ts'
import { type Defer, withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import type { Measurement } from './measurement.ts'
import { inspectFlag, readResidentKb, settle } from './product/process-cost.ts'
import { makeRoom, openStage, takeAt } from './product/product-server.ts'
import { startYardstick } from './baseline/baseline-server.ts'

const people = 40
const few = 200
const many = 1_000

/** What one more connection costs the server's memory, between 200 and 1,000 that are joined and quiet. */
export const memory: Measurement = {
  name: 'memory',
  title: `Memory of the server: one more connection, between ${few} and ${many} that are quiet`,
  yardstick: 'raw ws server with as many connections',
  measure: (say) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const ours = await weighProduct(defer, load, say)
      const theirs = await weighYardstick(defer, load)
      const perConnection = ({ fewKb, manyKb }: Weight) => (manyKb - fewKb) / (many - few)
      return [
        {
          name: 'one more connection',
          unit: 'kB',
          value: perConnection(ours),
          yardstick: perConnection(theirs),
        },
        { name: `in all at ${few}`, unit: 'kB', value: ours.fewKb, yardstick: theirs.fewKb },
        { name: `in all at ${many}`, unit: 'kB', value: ours.manyKb, yardstick: theirs.manyKb },
      ]
    }),
}

/** What a process holds with few and with many connections. */
interface Weight {
  fewKb: number
  manyKb: number
}

async function weighProduct(defer: Defer, load: Load, say: (line: string) => void): Promise<Weight> {
  const inspectPort = await findFreePort()
  const stage = await openStage(defer, { people, env: { NODE_OPTIONS: inspectFlag(inspectPort) } })
  const roomId = await makeRoom(stage, takeAt(stage.people, 0))
  const cookies = stage.people.map((person) => person.cookie)
  const seat = async (group: string, count: number) => {
    await load.run('open', { group, url: stage.app.url, cookies, count })
    defer(() => load.run('close', { group }))
    await load.run('join', { group, roomIds: [roomId], isAtOnce: false })
    say(`${count} more have joined`)
    await settle(inspectPort)
    return readResidentKb(stage.app.pid)
  }
  return { fewKb: await seat('few', few), manyKb: await seat('many', many - few) }
}

async function weighYardstick(defer: Defer, load: Load): Promise<Weight> {
  const inspectPort = await findFreePort()
  const yardstick = await startYardstick([inspectFlag(inspectPort)])
  defer(() => yardstick.stop())
  const seat = async (group: string, count: number) => {
    await load.run('open', { group, url: yardstick.url, cookies: [], count })
    defer(() => load.run('close', { group }))
    await settle(inspectPort)
    return readResidentKb(yardstick.pid)
  }
  return { fewKb: await seat('few raw', few), manyKb: await seat('many raw', many - few) }
}

import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../sockets.ts'
import { startPostgres } from '../postgres.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { openTestDatabase } from './cluster.ts'
import { gatherCrowd, secret } from './crowd.ts'
import { openLink, withPort } from './link.ts'

it('16.204 the machine of a process is lost in the middle of a change of a room: others join it, and other rooms, within seconds', async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.stop())
  const dataDir = await makeFolder()
  const server = await runServer({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, SECRET: secret })
  const crowd = await gatherCrowd(server, { databaseUrl: postgres.url, dataDir }, 20)
  const [first, second] = crowd.roomIds as [string, string]

  const link = await openLink(Number(new URL(postgres.url).port))
  const lost = await openTestDatabase({ databaseUrl: withPort(postgres.url, link.port), dataDir })
  const isLocked = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const change = lost.transaction().execute(async (trx) => {
    await trx.updateTable('rooms').set({ name: 'Lost' }).where('id', '=', first).execute()
    isLocked.resolve()
    await isOver.promise
  })
  await isLocked.promise
  link.stall()
  const end = (): void => {
    link.cut()
    isOver.resolve()
  }
  onTestFinished(end)
  // A member of the other room joins the locked one, and the other way round.
  const [ofFirst, ofSecond] = [crowd.clients[0]!.user, crowd.clients[10]!.user]
  const [toFirst, toSecond] = [await connect(server, ofSecond), await connect(server, ofFirst)]
  // The longest statement's end would refuse them.
  const joins = [toFirst.ask('join_room', { roomId: first }), toSecond.ask('join_room', { roomId: second })]
  expect((await Promise.all(joins)).map(({ room }) => room.id)).toEqual([first, second])

  end()
  await expect(change).rejects.toThrow(/connection|ECONNRESET/i)
})

const ticksPerSecond = 100
const established = '01'
const keepAliveTimer = '02'

/** After how many seconds the kernel probes the peer of each connection to a local port; Infinity where it does not. */
async function readProbeTimes(port: number): Promise<number[]> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/))
  const isOurs = ([, local = '', , state]: string[]): boolean =>
    state === established && Number.parseInt(local.split(':')[1] ?? '', 16) === port
  return rows.filter(isOurs).map(([, , , , , timer = '']) => {
    const [kind, ticks = ''] = timer.split(':')
    return kind === keepAliveTimer ? Number.parseInt(ticks, 16) / ticksPerSecond : Infinity
  })
}

it('16.205 the machine of the only process is lost: PostgreSQL asks after it within 10 s, and the next process waits until it has noticed', async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.stop())
  const port = Number(new URL(postgres.url).port)
  const link = await openLink(port)
  const variables = { DATA_DIR: await makeFolder(), SECRET: secret }
  const lost = await runServer({ ...variables, DATABASE_URL: withPort(postgres.url, link.port) })
  await vi.waitFor(async () => {
    const times = await readProbeTimes(port)
    expect(times.length).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThanOrEqual(10)
  })
  link.stall()
  await lost.kill()
  const next = runServer({ ...variables, DATABASE_URL: postgres.url })
  // As long as three probes take.
  await delay(25_000)
  link.cut()
  await expect(next).resolves.toMatchObject({ address: expect.any(String) })
})

import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { startPostgres } from '../postgres.ts'
import { gatherCrowd, secret } from './crowd.ts'

it.each(['fast', 'immediate'] as const)(
  '16.44 a server survives a restart of PostgreSQL (%s) with 400 writes in flight, and loses no acknowledged one',
  async (mode) => {
    const postgres = await startPostgres({ isDurable: true })
    onTestFinished(() => postgres.stop())
    const dataDir = await makeFolder()
    const options = { databaseUrl: postgres.url, dataDir }
    const server = await runServer({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, SECRET: secret })
    const crowd = await gatherCrowd(server, options, 100)

    const { acknowledgedIds, failures } = await crowd.burstDuring(4, 10, () => postgres.restart(mode))
    expect(acknowledgedIds.length + failures.length).toBe(400)
    // The restart must have hit them, else this proves nothing.
    expect(failures.length).toBeGreaterThan(0)
    expect([...new Set(failures)]).toEqual(['unavailable'])
    expect(await crowd.findMissing(acknowledgedIds)).toEqual([])

    expect(server.child.process.exitCode).toBeNull()
    expect(crowd.clients.every(({ socket }) => socket.connected)).toBe(true)
    expect((await ask(`${server.address}/readyz`)).status).toBe(200)
    await delay(3_000)
    expect(await crowd.burst(2)).toMatchObject({ failures: [] })
  },
)

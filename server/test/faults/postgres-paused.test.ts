import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { startPostgres } from '../postgres.ts'
import { waitUntilReady } from './cluster.ts'
import { gatherCrowd, secret } from './crowd.ts'

it('16.130 PostgreSQL stops for 60 s under 200 writes: all are answered, nobody is removed, and the server goes on', async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.stop())
  const options = { databaseUrl: postgres.url, dataDir: await makeFolder() }
  const server = await runServer({
    DATA_DIR: options.dataDir,
    MUSIC_DIR: await makeFolder(),
    DATABASE_URL: postgres.url,
    DATABASE_STATEMENT_TIMEOUT_S: '5',
    SECRET: secret,
  })
  const crowd = await gatherCrowd(server, options, 100)
  let isPaused = false
  const resume = (): void => {
    if (isPaused) postgres.resume()
    isPaused = false
  }
  onTestFinished(resume)

  const pausedUntilMs = performance.now() + 60_000
  const { acknowledgedIds, failures } = await crowd.burstDuring(2, 10, async () => {
    postgres.pause()
    isPaused = true
  })
  expect(performance.now()).toBeLessThan(pausedUntilMs)
  expect(acknowledgedIds.length + failures.length).toBe(200)
  expect(failures.length).toBeGreaterThan(0)
  expect([...new Set(failures)]).toEqual(['unavailable'])
  await vi.waitFor(async () => {
    const asked = performance.now()
    expect((await ask(`${server.address}/readyz`)).status).toBe(503)
    expect(performance.now() - asked).toBeLessThan(10_000)
  })
  await delay(pausedUntilMs - performance.now())
  expect(crowd.clients.every(({ socket }) => socket.connected)).toBe(true)

  resume()
  await waitUntilReady(server, 20_000)
  expect(await crowd.findMissing(acknowledgedIds)).toEqual([])
  expect((await crowd.burst(2)).failures).toEqual([])
  expect(server.child.process.exitCode).toBeNull()
  const [first] = crowd.roomIds
  const { members } = await crowd.clients[0]!.ask('request_sync', { roomId: first! })
  expect(members).toHaveLength(10)
})

import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { startPostgres } from '../postgres.ts'
import { startRedis } from '../redis.ts'
import { gatherCrowd, secret } from './crowd.ts'

it('16.44 a server that is killed under load (SQLite) has every acknowledged message when it is back', async () => {
  const dataDir = await makeFolder()
  for (const killAfterCount of [1, 40, 200]) {
    // On a busy machine all may be acknowledged before the signal arrives, which proves nothing.
    let isHit = false
    for (let attempt = 0; attempt < 5 && !isHit; attempt += 1)
      isHit = await killDuringBurst(dataDir, killAfterCount)
    expect(isHit).toBe(true)
  }
})

/** Returns whether the kill hit messages in flight. Fails where an acknowledged one is missing. */
async function killDuringBurst(dataDir: string, killAfterCount: number): Promise<boolean> {
  const server = await runServer({ DATA_DIR: dataDir, SECRET: secret })
  const crowd = await gatherCrowd(server, { databaseUrl: null, dataDir }, 100)
  const { acknowledgedIds, failures } = await crowd.burstDuring(4, killAfterCount, () => server.kill())
  expect(await crowd.findMissing(acknowledgedIds)).toEqual([])
  return failures.length > 0
}

it('16.44 two servers survive a restart of Redis under load, and talk to each other again', async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.stop())
  const redis = await startRedis()
  const dataDir = await makeFolder()
  const variables = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, REDIS_URL: redis.url, SECRET: secret }
  const [first, second] = [await runServer(variables), await runServer(variables)]
  const crowd = await gatherCrowd(first, { databaseUrl: postgres.url, dataDir }, 40)

  const { acknowledgedIds, failures } = await crowd.burstDuring(4, 1, () => redis.stop())
  expect(failures.filter((code) => code !== 'unavailable')).toEqual([])
  expect(await crowd.findMissing(acknowledgedIds)).toEqual([])
  expect((await ask(`${first.address}/readyz`)).json).toMatchObject({ checks: { redis: false } })

  const back = await startRedis(Number(new URL(redis.url).port))
  onTestFinished(() => back.stop())
  await expect
    .poll(async () => (await ask(`${second.address}/readyz`)).status, { timeout: 20_000, interval: 200 })
    .toBe(200)
  await delay(3_000)
  expect((await crowd.burst(2)).failures).toEqual([])
  expect([first, second].map(({ child }) => child.process.exitCode)).toEqual([null, null])
})

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { type PostgresEngine, findPostgres, runStatement, startPostgres } from '../postgres.ts'
import { waitUntilReady } from './cluster.ts'
import { gatherCrowd, secret } from './crowd.ts'
import { openLink, withPort } from './link.ts'

/** Starts a server whose connections to PostgreSQL go through a link, with 100 members. */
async function startBehindLink(postgres: PostgresEngine, variables: Record<string, string> = {}) {
  const link = await openLink(portOf(postgres))
  const dataDir = await makeFolder()
  const databaseUrl = withPort(postgres.url, link.port)
  const server = await runServer({
    DATA_DIR: dataDir,
    MUSIC_DIR: await makeFolder(),
    DATABASE_URL: databaseUrl,
    SECRET: secret,
    LOG_LEVEL: 'error',
    ...variables,
  })
  const crowd = await gatherCrowd(server, { databaseUrl, dataDir }, 100)
  return { link, server, crowd }
}

const portOf = ({ url }: PostgresEngine): number => Number(new URL(url).port)

/** Starts a standby that has every commit before it is acknowledged. */
async function startStandby(primary: PostgresEngine): Promise<PostgresEngine> {
  const standby = await startPostgres({
    isDurable: true,
    fill: (data, account) => {
      const args = ['-D', data, '-d', primary.url, '-R', '-c', 'fast']
      const copied = spawnSync('pg_basebackup', args, {
        ...account,
        cwd: join(data, '..'),
        // Beside the server's programs, or on the path where these are linked from elsewhere.
        env: { PATH: `${findPostgres()}:${process.env['PATH']}` },
        encoding: 'utf8',
      })
      if (copied.status !== 0)
        throw new Error(`pg_basebackup failed: ${copied.stderr}`, { cause: copied.error })
    },
  })
  await runStatement(primary.url, "alter system set synchronous_standby_names = '*'")
  await runStatement(primary.url, 'select pg_reload_conf()')
  return standby
}

it('16.96 PostgreSQL dies under 400 writes and its standby is promoted: no acknowledged write is lost, and the server goes on', async () => {
  const primary = await startPostgres({ isDurable: true })
  onTestFinished(() => primary.stop())
  const standby = await startStandby(primary)
  onTestFinished(() => standby.stop())
  const { link, server, crowd } = await startBehindLink(primary)

  const { acknowledgedIds, failures } = await crowd.burstDuring(4, 10, async () => {
    await primary.halt('immediate')
    standby.promote()
    link.redirect(portOf(standby))
  })
  expect(acknowledgedIds.length + failures.length).toBe(400)
  expect(failures.length).toBeGreaterThan(0)
  expect([...new Set(failures)]).toEqual(['unavailable'])
  await waitUntilReady(server, 20_000)
  expect(await crowd.findMissing(acknowledgedIds)).toEqual([])
  await delay(3_000)
  expect((await crowd.burst(2)).failures).toEqual([])
  expect(crowd.clients.every(({ socket }) => socket.connected)).toBe(true)
})

it('16.150 the address of PostgreSQL leads to a standby for a while: then the server writes to the primary, though its connections stay open', async () => {
  const primary = await startPostgres({ isDurable: true })
  onTestFinished(() => primary.stop())
  const standby = await startStandby(primary)
  onTestFinished(() => standby.stop())
  const { link, server, crowd } = await startBehindLink(primary)
  link.redirect(portOf(standby))
  expect([...new Set((await crowd.burst(2)).failures)]).toEqual(['unavailable'])
  link.retarget(portOf(primary))
  await waitUntilReady(server, 20_000)
  await delay(3_000)
  expect((await crowd.burst(2)).failures).toEqual([])
})

it('16.44 PostgreSQL is away for 30 s: the server says so, ends nobody, and goes on when it is back', async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.stop())
  const { server, crowd } = await startBehindLink(postgres)
  const { acknowledgedIds, failures } = await crowd.burstDuring(4, 10, () => postgres.halt('fast'))
  expect([...new Set(failures)]).toEqual(['unavailable'])
  await delay(30_000)
  expect((await ask(`${server.address}/readyz`)).status).toBe(503)
  const during = await crowd.burst(1)
  expect([...new Set(during.failures)]).toEqual(['unavailable'])
  await postgres.start()
  await waitUntilReady(server, 20_000)
  await delay(3_000)
  expect((await crowd.burst(2)).failures).toEqual([])
  expect(await crowd.findMissing(acknowledgedIds)).toEqual([])
  expect(crowd.clients.every(({ socket }) => socket.connected)).toBe(true)
})

it('16.92 the network to PostgreSQL is lost without a word: writes are answered, and the server recovers by itself', async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.stop())
  const { link, server, crowd } = await startBehindLink(postgres, { DATABASE_STATEMENT_TIMEOUT_S: '2' })
  link.stall()
  const lost = crowd.clients
    .slice(0, 20)
    .map(async ({ socket }, n) =>
      socket
        .timeout(30_000)
        .emitWithAck('send_message', { roomId: crowd.roomIds[Math.floor(n / 10)], message: 'x' }),
    )
  // Longer than a statement may take, and than a connection may be silent.
  for (const answer of await Promise.all(lost))
    expect(answer).toMatchObject({ error: { code: 'unavailable' } })
  link.cut()
  link.restore()
  await waitUntilReady(server, 20_000)
  expect((await crowd.burst(2)).failures).toEqual([])
})

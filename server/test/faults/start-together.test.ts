import { expect, it, onTestFinished } from 'vitest'
import { migrationNames } from '../../src/db/database.ts'
import { listMigrations } from '../../src/db/migrate.ts'
import { enterAsGuest } from '../apps.ts'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { startPostgres } from '../postgres.ts'
import { startRedis } from '../redis.ts'
import { connect } from '../sockets.ts'
import { openTestDatabase, waitUntilReady } from './cluster.ts'

it('15.55 five processes that start at the same time on an empty PostgreSQL and data folder agree on tables and secret', async () => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  onTestFinished(() => postgres.stop())
  onTestFinished(() => redis.stop())
  const dataDir = await makeFolder()
  const variables = {
    DATA_DIR: dataDir,
    MUSIC_DIR: await makeFolder(),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
  }
  const servers = await Promise.all(Array.from({ length: 5 }, () => runServer(variables)))
  for (const server of servers) await waitUntilReady(server, 30_000)

  const db = await openTestDatabase({ databaseUrl: postgres.url, dataDir })
  expect(await listMigrations(db)).toEqual(migrationNames)
  // A session of one process is one of all, so their secrets are the same.
  const guest = await enterAsGuest(servers[0]!, 'Guest')
  for (const server of servers) {
    const { json } = await ask(`${server.address}/api/auth/get-session`, {
      headers: { cookie: guest.cookie },
    })
    expect(json).toMatchObject({ user: { id: guest.id } })
    await connect(server, guest)
  }
})

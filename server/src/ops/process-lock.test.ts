import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { type Logger, pino } from 'pino'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { makeFolder } from '../../test/folders.ts'
import { captureLog } from '../../test/log.ts'
import { type PoolMode, startPooler } from '../../test/postgres-pooler.ts'
import { createPostgresDatabase, migratedTemplate, runStatement } from '../../test/postgres.ts'
import { type DatabaseOptions, openDatabase } from '../db/database.ts'
import { lockFileName, lockForProcess, type ProcessLock } from './process-lock.ts'

const silent = pino({ level: 'silent' })

async function lock(
  options: DatabaseOptions,
  isShared: boolean,
  logger: Logger = silent,
): Promise<ProcessLock> {
  const held = await lockForProcess({ ...options, isShared, logger, waitMs: 600 })
  onTestFinished(() => held.release())
  return held
}

async function countLocks(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and datname = current_database()`,
  )
  await client.end()
  return rows[0]?.count ?? 0
}

describeDatabases('the lock of a process', (_open, make) => {
  it('16.8 refuses a second process without Redis, and admits it once the first has ended', async () => {
    const options = await make()
    const first = await lock(options, false)
    await expect(lock(options, false)).rejects.toThrow(
      /another process uses .* set the same REDIS_URL for both/,
    )
    await first.release()
    await lock(options, false)
  })

  it('16.8 waits for a process that is about to end', async () => {
    const options = await make()
    const first = await lock(options, false)
    const second = lock(options, false)
    await first.release()
    await expect(second).resolves.toBeDefined()
  })

  it('16.8 admits processes that share a Redis, and no other beside them', async () => {
    const options = await make()
    await lock(options, true)
    await lock(options, true)
    await expect(lock(options, false)).rejects.toThrow(/another process uses/)
  })

  it('16.8 refuses a process with Redis beside one without', async () => {
    const options = await make()
    await lock(options, false)
    await expect(lock(options, true)).rejects.toThrow(/without REDIS_URL/)
  })

  it('16.8 locks again, once, after its connection to PostgreSQL was lost', async () => {
    const options = await make()
    if (options.databaseUrl === null) return
    const { databaseUrl } = options
    const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    for (const isShared of [false, true]) {
      const { logger, lines } = captureLog()
      const held = await lock(options, isShared, logger)
      expect(await countLocks(databaseUrl)).toBe(1)
      await runStatement(databaseUrl, endSessions)
      await vi.waitFor(async () => expect(await countLocks(databaseUrl)).toBe(0))
      await vi.waitFor(async () => expect(await countLocks(databaseUrl)).toBe(1))
      await held.release()
      // A second connection would hold the lock on.
      await vi.waitFor(async () => expect(await countLocks(databaseUrl)).toBe(0))
      expect(lines).toEqual([])
    }
  })
})

it('16.107 names DATA_DIR where the lock cannot be made there', async () => {
  const dataDir = await makeFolder()
  await writeFile(join(dataDir, lockFileName), 'This is no database. '.repeat(100))
  await expect(lock({ databaseUrl: null, dataDir }, false)).rejects.toThrow(
    `DATA_DIR: the database in ${dataDir}`,
  )
})

it('16.107 asks whose files they are where the lock cannot be opened', async () => {
  const dataDir = await makeFolder()
  await mkdir(join(dataDir, lockFileName))
  await expect(lock({ databaseUrl: null, dataDir }, false)).rejects.toThrow(
    /^DATA_DIR: .* belong to the user/,
  )
})

it('16.107 gives up a PostgreSQL that takes connections and never answers', async () => {
  const taken = Promise.withResolvers<void>()
  const server = createServer(() => taken.resolve()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const failure = lock({ databaseUrl: `postgres://ann@127.0.0.1:${port}/x`, dataDir: '' }, false).catch(
    String,
  )
  await taken.promise
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await failure).toMatch(/DATABASE_URL: the PostgreSQL database cannot be opened: .*timeout/)
})

it('15.53 refuses a pooler in transaction mode, whose sessions are of nobody, and takes one in session mode', async () => {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
  const behind = async (mode: PoolMode) => ({
    databaseUrl: await startPooler(databaseUrl, mode),
    dataDir: '',
  })
  for (const isShared of [false, true]) {
    await expect(lock(await behind('transaction'), isShared)).rejects.toThrow(
      'DATABASE_URL: the PostgreSQL database cannot be opened: a pooler there shares its sessions between connections. Set it to session mode (PgBouncer: pool_mode = session)',
    )
  }
  const options = await behind('session')
  await lock(options, false)
  await expect(lock(options, false)).rejects.toThrow('another process uses this database')
  const db = await openDatabase(options)
  onTestFinished(() => db.destroy())
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)
  expect(rows).toEqual([{ statement_timeout: '30s' }])
})

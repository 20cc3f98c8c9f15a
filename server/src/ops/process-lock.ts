import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { databaseError } from '../db/database.ts'
import { lostClientNoticedMs, noticeLostClient } from '../db/dialects/lost-client.ts'

/** A restart may overlap: the process that ends needs some seconds to close. */
const closingMs = 12_000
const retryMs = 250
/** Between attempts to lock again after the connection to PostgreSQL was lost. */
const relockMs = 1_000
export const lockFileName = 'process-lock.sqlite'
/** For a database that takes connections and never answers. */
const timeouts = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }
/** Identifies our lock among those of other programs in a PostgreSQL database; chosen at random. */
const advisoryKey = 7_264_918_035

interface ProcessLockOptions {
  databaseUrl: string | null
  dataDir: string
  /** With Redis, processes share a database; without it, a process must be alone on it. */
  isShared: boolean
  logger: Logger
  waitMs?: number
}

/** A lock held until it is released or the process ends, however it ends. */
export interface ProcessLock {
  release(): Promise<void>
}

/**
 * Locks the database for this process: alone, or shared with processes that use the same Redis. Processes that do not
 * know of each other would split rooms and chat in silence.
 * @throws Error if another process still holds the lock after `waitMs`
 */
export async function lockForProcess(options: ProcessLockOptions): Promise<ProcessLock> {
  const { databaseUrl, isShared, logger, waitMs = longestHoldMs(options) } = options
  const tryLock =
    databaseUrl === null ? await prepareFileLock(options) : prepareAdvisoryLock(databaseUrl, options)
  const giveUpAtMs = performance.now() + waitMs
  for (let attempt = 1; ; attempt += 1) {
    const lock = await tryLock()
    if (lock) return lock
    if (performance.now() >= giveUpAtMs) throw new Error(describeConflict(options))
    if (attempt === 1) logger.warn({ isShared }, 'Another process uses the database; waiting for it to end')
    await delay(retryMs)
  }
}

/** How long a process that ends, or whose machine is lost, may hold the lock. A lock of a file ends with its machine. */
function longestHoldMs({ databaseUrl }: ProcessLockOptions): number {
  return databaseUrl === null ? closingMs : lostClientNoticedMs + closingMs
}

function describeConflict({ databaseUrl, isShared, dataDir }: ProcessLockOptions): string {
  const place =
    databaseUrl === null
      ? `DATA_DIR: another process uses ${dataDir}`
      : 'DATABASE_URL: another process uses this database'
  return isShared
    ? `${place} without REDIS_URL. Set the same REDIS_URL for both, or stop the other one.`
    : `${place}. Stop it, or set the same REDIS_URL for both.`
}

type TryLock = () => Promise<ProcessLock | null>

/** Locks a file of its own through SQLite, whose locks end with the process on every system. */
async function prepareFileLock({ dataDir, isShared }: ProcessLockOptions): Promise<TryLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, lockFileName)
  return async () => {
    let file: DatabaseSync | null = null
    try {
      const opened = new DatabaseSync(path, { timeout: 0 })
      file = opened
      // A read holds a shared lock until its transaction ends.
      opened.exec(isShared ? 'begin; select * from sqlite_schema' : 'begin exclusive')
      return {
        async release() {
          if (opened.isOpen) opened.close()
        },
      }
    } catch (error) {
      file?.close()
      if (isBusy(error)) return null
      throw databaseError({ databaseUrl: null, dataDir }, error)
    }
  }
}

const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}

/**
 * Refuses a pooler that hands one session of PostgreSQL to several connections, as in transaction mode: the lock
 * would belong to a session that the next transaction of anybody uses, and outlive this process.
 * @throws Error if another connection has the session `pid` too
 */
async function refuseSharedSession(databaseUrl: string, pid: number): Promise<void> {
  const { Client } = await import('pg')
  const other = new Client({ connectionString: databaseUrl, ...timeouts })
  other.on('error', () => {})
  try {
    await other.connect()
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]?.pid !== pid) return
    await other.query('select pg_advisory_unlock_all()')
    throw new Error(sharedSession)
  } finally {
    await other.end().catch(() => undefined)
  }
}

const sharedSession =
  'a pooler there shares its sessions between connections. Set it to session mode (PgBouncer: pool_mode = session)'

/** Holds an advisory lock on a connection of its own, and takes it again after the connection was lost. */
function prepareAdvisoryLock(
  databaseUrl: string,
  { dataDir, isShared, logger }: ProcessLockOptions,
): TryLock {
  const lock = `pg_try_advisory_lock${isShared ? '_shared' : ''}($1)`
  const statement = `select ${lock} as locked, pg_backend_pid() as pid`
  const connect = async (onLost: () => void) => {
    const { Client } = await import('pg')
    const client = new Client({ connectionString: databaseUrl, keepAlive: true, ...timeouts })
    // One lost connection emits several errors, and ends once.
    client.on('error', () => {})
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    try {
      await client.connect()
      await client.query(noticeLostClient)
      const { rows } = await client.query<{ locked: boolean; pid: number }>(statement, [advisoryKey])
      if (rows[0]?.locked) {
        await refuseSharedSession(databaseUrl, rows[0].pid)
        void ended.then(onLost)
        return client
      }
    } catch (error) {
      await client.end().catch(() => undefined)
      throw databaseError({ databaseUrl, dataDir }, error)
    }
    await client.end()
    return null
  }
  return async () => {
    let isReleased = false
    let relocking: NodeJS.Timeout | undefined
    const onLost = (): void => {
      if (isReleased) return
      relocking = setTimeout(() => void relock(), relockMs).unref()
    }
    const relock = async (): Promise<void> => {
      try {
        client = await connect(onLost)
        if (isReleased) await client?.end()
        else if (!client) {
          logger.error('Another process has locked the database meanwhile; stop one of the two')
          onLost()
        }
      } catch {
        // The database is still away.
        onLost()
      }
    }
    let client = await connect(onLost)
    if (!client) return null
    return {
      async release() {
        isReleased = true
        clearTimeout(relocking)
        await client?.end().catch(() => undefined)
      },
    }
  }
}

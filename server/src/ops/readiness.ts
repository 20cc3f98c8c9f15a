import { statfs } from 'node:fs/promises'
import type { Clock } from '@earshot/core/clock'
import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import { createSharedReads } from '../async/shared-reads.ts'
import type { Db } from '../db/database.ts'

const answerTimeoutMs = 2_000
/** Anybody may ask as often as they like, so those who ask within this time share an answer. */
const sharedForMs = 250
/** Checks that write are shared for longer. */
const storageSharedForMs = 5_000

export interface ReadinessParts {
  db: Db
  /** Null where the server is one process. */
  redis: Pick<Redis, 'set'> | null
  clock: Clock
  dataDir: string
  /** Null for SQLite, which needs free space in the data folder. */
  databaseUrl: string | null
  /** Free space below which the server is not ready. */
  diskReserveBytes: number
}

/** The server's dependencies, each true where it works: reading and writing the database, writing Redis, free disk space. */
interface ReadinessChecks {
  database: boolean
  writable: boolean
  /** Missing where the database is PostgreSQL, which has a disk of its own. */
  disk?: boolean
  /** Missing where the server is one process. */
  redis?: boolean
}

/** Returns a function that checks what the server needs. It never rejects. */
export function createReadiness(parts: ReadinessParts): () => Promise<ReadinessChecks> {
  const { db, redis, clock, databaseUrl } = parts
  const storage = createSharedReads<[writable: boolean, disk: boolean | null]>({
    clock,
    ms: storageSharedForMs,
    max: 1,
  })
  const checks = createSharedReads<ReadinessChecks>({ clock, ms: sharedForMs, max: 1 })
  const checkStorage = () =>
    Promise.all([
      isAnswered(writeRow(db, clock.now())),
      databaseUrl === null ? isAnswered(checkDisk(parts)) : null,
    ])
  const check = async (): Promise<ReadinessChecks> => {
    const [database, redisState, [writable, disk]] = await Promise.all([
      isReachable(db),
      redis === null ? null : isAnswered(redis.set('earshot:readiness', 1, 'PX', storageSharedForMs)),
      storage.read('storage', checkStorage),
    ])
    return {
      database,
      writable: database && writable,
      ...(disk === null ? {} : { disk }),
      ...(redisState === null ? {} : { redis: redisState }),
    }
  }
  return () => checks.read('all', check)
}

/** Returns whether the database answers a read in time. */
export function isReachable(db: Db): Promise<boolean> {
  return isAnswered(sql`select 1`.execute(db))
}

async function writeRow(db: Db, nowMs: number): Promise<void> {
  await db
    .insertInto('readiness')
    .values({ id: 1, written_at: Math.round(nowMs) })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ written_at: eb.ref('excluded.written_at') })),
    )
    .execute()
}

async function checkDisk({ dataDir, diskReserveBytes }: ReadinessParts): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize < diskReserveBytes) throw new Error('The disk of the data folder is nearly full')
}

async function isAnswered(question: Promise<unknown>): Promise<boolean> {
  const timeout = AbortSignal.timeout(answerTimeoutMs)
  const timedOut = new Promise<boolean>((resolve) => {
    timeout.addEventListener('abort', () => resolve(false), { once: true })
  })
  const answered = question.then(
    () => true,
    () => false,
  )
  return Promise.race([answered, timedOut])
}

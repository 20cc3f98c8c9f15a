import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ServerFigures } from '@earshot/core/protocol/admin-calls'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { type Db, engineOf, sqliteFileName } from '../db/database.ts'
import { countAllMembers, countAllRooms } from '../db/admin-rooms.ts'
import { countUsers } from '../db/users.ts'

interface FiguresParts {
  db: Db
  dataDir: string
  version: string
  socketCount: () => number
}

/** A walk of the cache reads each file's size, so its result is kept for a while. */
const storageKeptMs = 60_000
const statsAtOnce = 8

/** Returns a function that reads the live figures of this process and the storage used. */
export function createServerFigures(parts: FiguresParts): () => Promise<ServerFigures> {
  const { db, version, socketCount } = parts
  const readDelayMs = watchEventLoop()
  let storage: { readAtMs: number; reading: Promise<ServerFigures['storage']> } | null = null
  const findStorage = (): Promise<ServerFigures['storage']> => {
    const nowMs = performance.now()
    if (storage === null || nowMs - storage.readAtMs > storageKeptMs) {
      storage = { readAtMs: nowMs, reading: readStorage(parts) }
      storage.reading.catch(() => (storage = null))
    }
    return storage.reading
  }
  return async () => ({
    version,
    uptimeMs: Math.round(process.uptime() * 1_000),
    users: await countUsers(db),
    rooms: await countAllRooms(db),
    members: await countAllMembers(db),
    sockets: socketCount(),
    memoryBytes: process.memoryUsage.rss(),
    eventLoopDelayMs: readDelayMs(),
    storage: await findStorage(),
  })
}

async function readStorage({ db, dataDir }: FiguresParts): Promise<ServerFigures['storage']> {
  const { bavail, bsize } = await statfs(dataDir)
  const storage = {
    databaseBytes: 0,
    coversBytes: 0,
    cacheBytes: 0,
    copiesBytes: 0,
    freeDiskBytes: bavail * bsize,
  }
  for (const name of await readdir(dataDir)) {
    const part = partOf(name)
    if (part !== null) storage[part] += await sizeOf(join(dataDir, name))
  }
  if (engineOf(db) === 'postgres') storage.databaseBytes = await readPostgresSize(db)
  return storage
}

const copyNames = /^(before-migrations|replaced-.*|restoring|backups|outbox)$/

/** Null for what is not the server's, such as a music folder in the data folder, which may be large and hang. */
function partOf(name: string): 'databaseBytes' | 'coversBytes' | 'cacheBytes' | 'copiesBytes' | null {
  if (name.startsWith(sqliteFileName)) return 'databaseBytes'
  if (name === 'covers') return 'coversBytes'
  if (name === 'indexes') return 'cacheBytes'
  return copyNames.test(name) ? 'copiesBytes' : null
}

async function readPostgresSize(db: Db): Promise<number> {
  const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as "size"`.execute(
    db,
  )
  return Number(rows[0]?.size ?? 0)
}

/** The size of a file, or of all files in a folder; zero for one that is gone. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (entries === null) return sizeOfFile(path)
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await pLimit(statsAtOnce).map(files, (file) => sizeOfFile(join(file.parentPath, file.name)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOfFile(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** A sample is the time between two timers, so it includes this much. */
const resolutionMs = 20

/**
 * Watches the event loop. Returns a function that reads the 99th percentile of its delay in ms since the start or the
 * last reading.
 */
export function watchEventLoop(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  return () => {
    const delayMs = Math.max(0, histogram.percentile(99) / 1e6 - resolutionMs)
    histogram.reset()
    return delayMs
  }
}

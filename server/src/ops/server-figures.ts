import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerFigures } from '@earshot/core/protocol/admin-calls'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { type Db, engineOf, sqliteFileName } from '../db/database.ts'
import { countAllMembers, countAllRooms } from '../db/admin-rooms.ts'
import { countUsers } from '../db/users.ts'
import { watchEventLoop } from './event-loop-delay.ts'

export interface FiguresParts {
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
  return {
    databaseBytes: await readDatabaseSize(db, dataDir),
    coversBytes: await sizeOfFolder(join(dataDir, 'covers')),
    cacheBytes: await sizeOfFolder(join(dataDir, 'indexes')),
    freeDiskBytes: bavail * bsize,
  }
}

async function readDatabaseSize(db: Db, dataDir: string): Promise<number> {
  if (engineOf(db) === 'sqlite') {
    const sizes = ['', '-wal', '-shm'].map((suffix) => sizeOfFile(join(dataDir, sqliteFileName + suffix)))
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
  const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as "size"`.execute(
    db,
  )
  return Number(rows[0]?.size ?? 0)
}

/** Zero for a folder that does not exist. */
async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
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

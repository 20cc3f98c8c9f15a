import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, hourMs, minuteMs } from '@earshot/core/clock'
import type { ExpressionBuilder } from 'kysely'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { Db } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import type { Retention } from '../env/operation.ts'
import { deleteLeftovers } from './leftovers.ts'

const firstSweepMs = minuteMs
const sweepEveryMs = hourMs
/** Rows per statement. Other queries run between two of them. */
const batchSize = 500
const roomsBatchSize = 200
const pauseMs = 20

interface RetentionParts {
  db: Db
  clock: Clock
  logger: Logger
  dataDir: string
  retention: Retention
  /** Ends a sweep after its current statement. */
  signal?: AbortSignal
}

/** Rows and files that one sweep deleted. */
interface SweepResult {
  messages: number
  /** Tracks that rooms have played. */
  played: number
  rooms: number
  mails: number
  /** Rows that nobody can use any more, whatever the settings. */
  leftovers: number
}

/** Deletes what is older than the settings allow, every hour. Returns a function that stops it. */
export function startRetention(parts: RetentionParts): () => Promise<void> {
  const { clock, logger } = parts
  const stopping = new AbortController()
  const sweep = async (): Promise<void> => {
    const deleted = await sweepOnce({ ...parts, signal: stopping.signal })
    if (Object.values(deleted).some((count) => count > 0))
      logger.info(deleted, 'Deleted expired data and data past its retention period')
  }
  const stop = repeat(clock, { firstMs: firstSweepMs, everyMs: sweepEveryMs }, sweep, (error) =>
    logger.warn({ err: error }, 'Could not delete old data; retrying in an hour'),
  )
  return () => {
    stopping.abort()
    return stop()
  }
}

/**
 * Runs one sweep, which goes on in small steps until nothing is left; of mails it deletes at most 500, and the next
 * goes on.
 */
export async function sweepOnce(parts: RetentionParts): Promise<SweepResult> {
  const { db, clock, dataDir, retention, signal = new AbortController().signal } = parts
  const nowMs = clock.now()
  const { messagesMs, historyMs, idleRoomsMs, outboxMs } = retention
  return {
    messages: messagesMs === null ? 0 : await deleteMessages(db, nowMs - messagesMs, signal),
    played: historyMs === null ? 0 : await deletePlayed(db, nowMs - historyMs, signal),
    rooms:
      idleRoomsMs === null
        ? 0
        : await deleteInBatches(roomsBatchSize, signal, () =>
            deleteIdleRooms(db, nowMs - idleRoomsMs, signal),
          ),
    mails: outboxMs === null ? 0 : await deleteMails(join(dataDir, 'outbox'), nowMs - outboxMs),
    leftovers: await deleteLeftovers(db, nowMs),
  }
}

async function deleteMessages(db: Db, beforeMs: number, signal: AbortSignal): Promise<number> {
  return await deleteBefore(beforeMs, signal, {
    listOldest: () =>
      db.selectFrom('messages').select(['id', 'created_at as atMs']).orderBy('id').limit(batchSize).execute(),
    remove: (ids) => db.deleteFrom('messages').where('id', 'in', ids).execute(),
  })
}

async function deletePlayed(db: Db, beforeMs: number, signal: AbortSignal): Promise<number> {
  return await deleteBefore(beforeMs, signal, {
    listOldest: () =>
      db
        .selectFrom('room_history')
        .select(['id', 'played_at as atMs'])
        .orderBy('id')
        .limit(batchSize)
        .execute(),
    remove: (ids) => db.deleteFrom('room_history').where('id', 'in', ids).execute(),
  })
}

interface SortedRows {
  /** Lists a batch. Ids sort by time, so the oldest rows are found without reading the others. */
  listOldest: () => Promise<{ id: string; atMs: number }[]>
  remove: (ids: string[]) => Promise<unknown>
}

function deleteBefore(
  beforeMs: number,
  signal: AbortSignal,
  { listOldest, remove }: SortedRows,
): Promise<number> {
  return deleteInBatches(batchSize, signal, async () => {
    const old = (await listOldest()).filter((row) => row.atMs < beforeMs)
    if (old.length > 0) await remove(old.map(({ id }) => id))
    return old.length
  })
}

/** Deletes batch after batch until one is not full. */
async function deleteInBatches(
  size: number,
  signal: AbortSignal,
  deleteBatch: () => Promise<number>,
): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    const deleted = await deleteBatch()
    count += deleted
    if (deleted < size) break
    await delay(pauseMs)
  }
  return count
}

async function deleteIdleRooms(db: Db, beforeMs: number, signal: AbortSignal): Promise<number> {
  const before = Math.floor(beforeMs)
  const isIdle = isIdleSince(before)
  const idle = await db.selectFrom('rooms').select('id').where(isIdle).limit(roomsBatchSize).execute()
  let deleted = 0
  // One by one, for the messages that go with them. Somebody who has come meanwhile keeps the room.
  for (const { id } of idle) {
    if (signal.aborted) break
    const deletion = await db.deleteFrom('rooms').where('id', '=', id).where(isIdle).executeTakeFirst()
    deleted += Number(deletion.numDeletedRows)
  }
  return deleted
}

type RoomBuilder = ExpressionBuilder<Database, 'rooms'>

/** Idle is a room without members in which nothing was played, said or changed. */
const isIdleSince = (before: number) => (eb: RoomBuilder) => {
  const members = eb
    .selectFrom('user_rooms')
    .select('user_id')
    .whereRef('user_rooms.room_id', '=', 'rooms.id')
  return eb.and([
    eb('last_updated', '<', before),
    eb('created_at', '<', before),
    eb.not(eb.exists(members)),
    eb.not(eb.exists(selectMessagesSince(eb, before))),
  ])
}

function selectMessagesSince(eb: RoomBuilder, sinceMs: number) {
  const messages = eb.selectFrom('messages').select('messages.id')
  return messages.whereRef('messages.room_id', '=', 'rooms.id').where('messages.created_at', '>=', sinceMs)
}

async function deleteMails(outbox: string, beforeMs: number): Promise<number> {
  const names = (await readdir(outbox).catch(() => []))
    .filter((name) => name.endsWith('.eml'))
    .slice(0, batchSize)
  let count = 0
  for (const name of names) {
    const path = join(outbox, name)
    const found = await stat(path).catch(() => null) // The operator may delete it meanwhile.
    if (!found || found.mtimeMs >= beforeMs) continue
    await rm(path, { force: true })
    count++
  }
  return count
}

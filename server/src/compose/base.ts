import type { Clock } from '@earshot/core/clock'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { openClock } from '../clock/clock-follower.ts'
import { makeDataFolder } from '../data-folder.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { removeUnfinishedCopies } from '../db/migrate.ts'
import type { Env } from '../env/env.ts'
import { createEventBus, type EventBus } from '../events.ts'
import { createAddressOf, type AddressOf } from '../http/client-address.ts'
import { createRegistry } from '../ops/monitoring.ts'
import { lockForProcess } from '../ops/process-lock.ts'
import { createSecurityLog, type SecurityLog } from '../ops/security-log.ts'
import { openRedisLink, type RedisLink } from '../realtime/redis-link.ts'

/** Functions that close the opened parts; called in reverse order. */
export type Closers = (() => unknown)[]

/** The parts that most others depend on. */
export interface Base {
  env: Env
  logger: Logger
  clock: Clock
  db: Db
  /** Null where the server is one process. */
  redis: RedisLink | null
  /** Its commands, for shared limits. */
  redisCommands: Redis | null
  registry: Registry
  events: EventBus
  addressOf: AddressOf
  securityLog: SecurityLog
  closers: Closers
}

/**
 * Opens them. A process that shares nothing locks its data first. `db` is a database with all tables in place of the
 * configured one; it is destroyed as that.
 */
export async function openBase(
  parts: Pick<Base, 'env' | 'logger'> & { clock?: Clock | undefined; db?: Db | undefined },
  closers: Closers,
): Promise<Base> {
  const { env, logger } = parts
  const onConnectionError = (error: Error): void => logger.warn({ err: error }, 'Database connection failed')
  await makeDataFolder(env.dataDir)
  const processLock = await lockForProcess({ ...env, isShared: env.redisUrl !== null, logger })
  closers.push(() => processLock.release())
  if (env.redisUrl === null) await removeUnfinishedCopies(env.dataDir)
  const db = parts.db ?? (await openDatabase({ ...env, onConnectionError }))
  closers.push(() => db.destroy())
  const redis = env.redisUrl === null ? null : await openRedisLink(env.redisUrl, logger)
  closers.push(() => redis?.close())
  const redisCommands = redis?.commands ?? null
  return {
    env,
    logger,
    clock: parts.clock ?? (await openClock(redisCommands)),
    db,
    redis,
    redisCommands,
    registry: createRegistry(),
    events: createEventBus(logger),
    addressOf: createAddressOf(env),
    securityLog: createSecurityLog(logger),
    closers,
  }
}

import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Db } from './db/database.ts'
import type { Env } from './env.ts'
import type { EventBus } from './events.ts'
import type { AddressOf } from './http/client-address.ts'
import type { SecurityLog } from './ops/security-log.ts'
import type { RedisLink } from './realtime/redis-link.ts'

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
  registry: Registry
  events: EventBus
  addressOf: AddressOf
  securityLog: SecurityLog
  closers: Closers
}

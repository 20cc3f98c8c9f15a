import { Socket } from 'node:net'
import { PostgresDialect, type Dialect } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import { noticeLostClient } from './lost-client.ts'
import { toPatientPool } from './patient-pool.ts'
import { PoolConnection } from './pool-connection.ts'

const connectTimeoutMs = 10_000
/** Our transactions never pause. One whose process is gone would hold a room, and all who join it. */
const longestPauseMs = 5_000
/** On top of the longest statement. */
const answerMarginMs = 5_000

/** PostgreSQL sends these as text, as they may exceed a JavaScript number. Ours never do. */
const numberTypes: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC]

const customTypes: CustomTypesConfig = {
  getTypeParser: (id, format) => {
    if (numberTypes.includes(id) && format !== 'binary') return Number
    return types.getTypeParser(id, format)
  },
}

export interface PoolSettings {
  /** Connections at most. */
  size: number
  /** After this time PostgreSQL ends a statement; 0 for never. */
  statementTimeoutMs: number
  /** Silence after which a connection is probed, so that one that broke without a word is noticed; 0 for never. */
  keepAliveMs: number
}

const defaultPool: PoolSettings = { size: 20, statementTimeoutMs: 30_000, keepAliveMs: 30_000 }

/**
 * Connects to PostgreSQL through a pool. `onIdleError` is called when an idle connection breaks; the next query opens a
 * new one.
 */
export function createPostgresDialect(
  url: string,
  onIdleError: (error: Error) => void,
  { size, statementTimeoutMs, keepAliveMs }: PoolSettings = defaultPool,
): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    // Not parameters of the connection, which poolers such as PgBouncer refuse.
    onConnect: async (connection) =>
      void (await connection.query(
        `set statement_timeout = ${statementTimeoutMs};
        set idle_in_transaction_session_timeout = ${longestPauseMs}; ${noticeLostClient}`,
      )),
    keepAlive: keepAliveMs > 0,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: customTypes,
    Client: PoolConnection,
    stream: () => createSocket(statementTimeoutMs),
  })
  pool.on('error', onIdleError)
  // A connection that breaks in use rejects its query; without a listener, its error event would end the process.
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return new PostgresDialect({ pool: toPatientPool(pool, connectTimeoutMs) })
}

/**
 * Creates a socket that breaks when it is silent for longer than any statement may take: the network lost the other side
 * without a word. Idle connections are closed before, by the pool.
 */
function createSocket(statementTimeoutMs: number): Socket {
  const socket = new Socket()
  if (statementTimeoutMs === 0) return socket
  const onSilence = (): void => void socket.destroy(new Error('Connection terminated: no answer'))
  return socket.setTimeout(statementTimeoutMs + answerMarginMs, onSilence)
}

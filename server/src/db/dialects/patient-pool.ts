import type { PostgresPool } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { errorCode } from '../../error-code.ts'
import { PoolConnection } from './pool-connection.ts'

const tooManyConnections = '53300'
/** Then the pool asks for more again. */
const fewerForMs = 10_000
/** Connections to a standby are kept for so long: the address may go on leading there. */
const standbyKeptMs = 1_000

/**
 * Lets a server go on by itself where PostgreSQL gives it fewer connections than `pool` may have, and where the
 * address led to a standby for a while. Waits for a connection for at most `giveUpAfterMs`.
 */
export function toPatientPool(pool: Pool, giveUpAfterMs: number): PostgresPool {
  const connect = shareConnections(pool, giveUpAfterMs)
  const isOutdated = watchForStandby(pool)
  return {
    async connect() {
      for (;;) {
        const connection = await connect()
        if (!isOutdated(connection)) return connection
        connection.release(true)
      }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/** Where PostgreSQL gives no more connections, as other programs have them, queries wait for those that there are. */
function shareConnections(pool: Pool, giveUpAfterMs: number): () => Promise<PoolClient> {
  const size = pool.options.max
  let restoring: NodeJS.Timeout | null = null
  const shrink = (): void => {
    pool.options.max = pool.totalCount
    restoring ??= setTimeout(() => {
      restoring = null
      pool.options.max = size
    }, fewerForMs).unref()
  }
  return async () => {
    const giveUpAtMs = performance.now() + giveUpAfterMs
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        const isFull = errorCode(error) === tooManyConnections
        if (!isFull || pool.totalCount === 0 || performance.now() > giveUpAtMs) throw error
        shrink()
      }
    }
  }
}

/**
 * Returns whether a connection was opened before one turned out to lead to a standby. The name leads elsewhere by
 * now, or will; a connection in use would stay at the standby for ever.
 */
function watchForStandby(pool: Pool): (connection: unknown) => boolean {
  let seenAtMs = -Infinity
  pool.on('release', (_error, connection) => {
    if (!(connection instanceof PoolConnection) || !connection.isReadOnly) return
    const nowMs = performance.now()
    if (nowMs - connection.openedAtMs > standbyKeptMs) seenAtMs = nowMs
  })
  return (connection) => connection instanceof PoolConnection && connection.openedAtMs < seenAtMs
}

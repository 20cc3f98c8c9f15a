import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

const databaseTimeoutMs = 2_000

export interface HealthParts {
  db: Db
  version: string
}

/** GET /health (7.24): 200 while the server and its database work, 503 otherwise. */
export function registerHealth(server: FastifyInstance, { db, version }: HealthParts): void {
  server.get('/health', async (request, reply) => {
    const isReachable = await isDatabaseReachable(db)
    if (!isReachable) request.log.warn('The database cannot be reached')
    return reply
      .code(isReachable ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: isReachable ? 'ok' : 'unavailable',
        version,
        uptime: Math.round(process.uptime()),
        database: isReachable ? 'ok' : 'unreachable',
      })
  })
}

async function isDatabaseReachable(db: Db): Promise<boolean> {
  const timeout = AbortSignal.timeout(databaseTimeoutMs)
  const gaveUp = new Promise<boolean>((resolve) => {
    timeout.addEventListener('abort', () => resolve(false), { once: true })
  })
  const answered = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, gaveUp])
}

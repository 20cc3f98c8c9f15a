import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Db } from '../db/database.ts'

const answerTimeoutMs = 2_000

export interface HealthParts {
  db: Db
  /** Null where the server is one process. */
  redis: Pick<Redis, 'ping'> | null
  version: string
}

/**
 * Serves GET /health (7.24): 200 while the server and its database work, 503 otherwise. `/livez` answers while the
 * process runs; `/readyz` says what keeps it from serving, if anything.
 */
export function registerHealth(server: FastifyInstance, { db, redis, version }: HealthParts): void {
  let isClosing = false
  server.addHook('preClose', async () => void (isClosing = true))
  server.get('/livez', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  server.get('/readyz', async (_request, reply) => {
    const [database, redisState] = await Promise.all([
      isAnswered(sql`select 1`.execute(db)),
      redis === null ? null : isAnswered(redis.ping()),
    ])
    const checks = { database, ...(redisState === null ? {} : { redis: redisState }), accepting: !isClosing }
    const isReady = Object.values(checks).every(Boolean)
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ok' : 'unavailable', checks })
  })
  server.get('/health', async (request, reply) => {
    const isReachable = await isAnswered(sql`select 1`.execute(db))
    if (!isReachable) request.log.warn('Database unreachable; answering /health with 503')
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

/** Creates the metrics registry of one server. Not the global registry: tests run several servers in a process. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Serves GET /metrics in the format of Prometheus, and measures the duration of HTTP calls. */
export function registerMetrics(server: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'earshot_http_seconds',
    help: 'From the receipt of an HTTP request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'page'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

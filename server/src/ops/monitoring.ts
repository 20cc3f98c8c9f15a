import { setTimeout as delay } from 'node:timers/promises'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { isSameSecret } from '../crypto/tokens.ts'
import { createReadiness, isReachable, type ReadinessParts } from './readiness.ts'

interface HealthParts extends ReadinessParts {
  version: string
  commit: string | null
}

interface Health {
  /** From now on `/readyz` fails, so that balancers send nothing new. Resolves after `forMs`; all else is served. */
  drain(forMs: number): Promise<void>
}

/**
 * Serves GET /health (7.24): 200 while the server and its database work, 503 otherwise. `/livez` answers while the
 * process runs; `/readyz` says what keeps it from serving, if anything.
 */
export function registerHealth(server: FastifyInstance, parts: HealthParts): Health {
  const { db, version, commit } = parts
  const checkReadiness = createReadiness(parts)
  let isAccepting = true
  server.get('/livez', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  server.get('/readyz', async (_request, reply) => {
    const checks = { ...(await checkReadiness()), accepting: isAccepting }
    const isReady = Object.values(checks).every(Boolean)
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ok' : 'unavailable', checks })
  })
  server.get('/health', async (request, reply) => {
    const isOk = await isReachable(db)
    if (!isOk) request.log.warn('Database unreachable; answering /health with 503')
    return reply
      .code(isOk ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: isOk ? 'ok' : 'unavailable',
        version,
        ...(commit === null ? {} : { commit }),
        uptime: Math.round(process.uptime()),
        database: isOk ? 'ok' : 'unreachable',
      })
  })
  return {
    async drain(forMs) {
      isAccepting = false
      if (forMs > 0) await delay(forMs)
    },
  }
}

/** Creates the metrics registry of one server. Not the global registry: tests run several servers in a process. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/**
 * Serves GET /metrics in the format of Prometheus, and measures the duration of HTTP calls. Without a token the metrics
 * are for this machine only; with one, for whoever sends it as a bearer token.
 */
export function registerMetrics(server: FastifyInstance, registry: Registry, token: string | null): void {
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
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) {
      server.securityLog.record('metrics_refused', { address: request.ip })
      return reply.header('www-authenticate', 'Bearer').code(401).send({ error: refusal })
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const refusal = toWireError(
  new AppError(
    'unauthenticated',
    'Metrics need METRICS_TOKEN, sent as a bearer token, or a request from this machine',
  ),
)

/** A request through a proxy of this machine comes from elsewhere, and has a header that says so. */
function mayRead({ headers, ip }: FastifyRequest, token: string | null): boolean {
  if (token !== null) return isSameSecret(headers.authorization ?? '', `Bearer ${token}`)
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && /^(::ffff:)?127\.|^::1$/.test(ip)
}

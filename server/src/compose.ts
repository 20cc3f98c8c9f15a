import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import manifest from '../package.json' with { type: 'json' }
import { createAuth } from './auth/auth.ts'
import { systemClock } from './clock.ts'
import { type Db, openDatabase } from './db/database.ts'
import type { Env } from './env.ts'
import { registerAuthCalls } from './http/calls/auth.ts'
import { registerConfigCalls } from './http/calls/config.ts'
import { registerMediaCalls } from './http/calls/media.ts'
import { registerMusicCalls } from './http/calls/music.ts'
import { registerProfileCalls } from './http/calls/profile.ts'
import { registerRoomCalls } from './http/calls/room.ts'
import { registerDocs } from './http/docs.ts'
import { createOriginRule } from './http/origin.ts'
import { registerPage } from './http/page.ts'
import { createServer } from './http/server.ts'
import { openLibrary } from './library/music-library.ts'
import { createMailer } from './mail/mailer.ts'
import { createRegistry, registerHealth, registerMetrics } from './ops/monitoring.ts'
import { createPlannedProviders } from './providers/planned-providers.ts'
import { attachRealtime, type Realtime } from './realtime/realtime.ts'
import { openRedisLink } from './realtime/redis-link.ts'
import { loadSecret } from './secret.ts'

const { version } = manifest
const builtPage = join(import.meta.dirname, '..', '..', 'web', 'dist')
/** How long answers that are under way have when the server closes. */
const closingGraceMs = 1_000

export interface AppParts {
  env: Env
  logger: Logger
  clock?: Clock
  /** The folder of the built page. */
  pageFolder?: string
}

/** A running server. */
export interface App {
  /** Where it listens, for example http://127.0.0.1:3000. */
  address: string
  db: Db
  registry: Registry
  realtime: Realtime
  /** Ends everything, the rooms first and the database last. Can be called again. */
  close(): Promise<void>
}

/** What is to be closed, the latest first. */
type Closers = (() => Promise<unknown> | undefined)[]

/** Puts all parts together and listens. Where a part cannot be opened, the others are closed and it rejects. */
export async function createApp(parts: AppParts): Promise<App> {
  const closers: Closers = []
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => (closing ??= closeAll(closers))
  try {
    return { ...(await open(parts, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(parts: AppParts, closers: Closers): Promise<Omit<App, 'close'>> {
  const { env, logger, clock = systemClock, pageFolder = builtPage } = parts
  const db = await openDatabase({
    ...env,
    onIdleError: (error) => logger.warn({ err: error }, 'A connection to the database broke'),
  })
  closers.push(() => db.destroy())
  const redis = env.redisUrl === null ? null : await openRedisLink(env.redisUrl, logger)
  closers.push(() => redis?.close())
  const secret = await loadSecret(env.secret, env.dataDir)
  const registry = createRegistry()
  const originRule = createOriginRule(env)
  const auth = createAuth({
    db,
    clock,
    logger,
    secret,
    mailer: createMailer({ ...env, logger }),
    mustConfirm: env.smtpUrl !== null,
    google: env.google,
    isOriginAllowed: originRule.isAllowed,
    onSessionEnded: (sessionId) => realtime.disconnectSession(sessionId),
  })
  closers.push(() => auth.close())
  const { resolveSession } = auth
  const limiterRedis = redis?.commands ?? null
  const server = await createServer({ env, logger, originRule, resolveSession, redis: limiterRedis })
  closers.push(() => closeServer(server))

  registerMetrics(server, registry)
  await registerDocs(server, version)
  registerHealth(server, { db, version })
  registerAuthCalls(server, auth, limiterRedis)
  registerProfileCalls(server, { db, clock })
  registerConfigCalls(server, { env, version })
  const shared = { db, clock, logger }
  const httpServer = server.server
  const realtime = attachRealtime({ ...shared, httpServer, registry, resolveSession, originRule, redis })
  closers.push(() => realtime.close())
  registerRoomCalls(server, realtime.rooms)
  const { musicDir, dataDir } = env
  const { library, provider, coverArt } = openLibrary({ ...shared, musicDir, dataDir })
  closers.push(() => library.close())
  registerMusicCalls(server, { db, library: provider, otherProviders: createPlannedProviders(env) })
  registerMediaCalls(server, { db, musicDir, coverArt })
  await registerPage(server, pageFolder)

  await server.listen({ host: env.host, port: env.port })
  library.start()
  const address = addressOf(server, env.host)
  void auth
    .load(env.publicUrl ?? address)
    .catch((error: unknown) => logger.error({ err: error }, 'Could not load sign-in; its requests will fail'))
  return { address, db, registry, realtime }
}

async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed()) {
    await Promise.resolve(close()).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed')
}

/** Lets answers that are under way end, but not for ever: sound is streamed for minutes. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), closingGraceMs)
  await server.close()
  clearTimeout(timer)
}

/** A server that listens on every address of the machine can be reached at the loopback one. */
function addressOf(server: FastifyInstance, host: string): string {
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`
}

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import manifest from '../../package.json' with { type: 'json' }
import { createAudioAccess } from '../accounts/audio-access.ts'
import { createMismatchLog } from '../auth/identity-mismatch.ts'
import type { Db } from '../db/database.ts'
import type { Env } from '../env/env.ts'
import { limitClients } from '../http/client-limits.ts'
import { readPageConfig, registerConfigCalls } from '../http/calls/config.ts'
import { registerLibraryCalls } from '../http/calls/library.ts'
import { registerMediaCalls } from '../http/calls/media.ts'
import { registerMusicCalls } from '../http/calls/music.ts'
import { registerRoomCalls } from '../http/calls/room.ts'
import { closeServer } from '../http/close-server.ts'
import { registerDocs } from '../http/docs.ts'
import { createOriginRule } from '../http/origin.ts'
import { registerPage } from '../http/page.ts'
import { registerPlayerFrames } from '../http/player-frames.ts'
import { isAlwaysSecure } from '../http/security-headers.ts'
import { createServer, listeningAddress } from '../http/server.ts'
import { createFileCheck } from '../library/missing-file.ts'
import { type OpenedLibrary, closeLibrary, openLibrary } from '../library/music-library.ts'
import { checkMailServer } from '../mail/mailer.ts'
import { registerHealth, registerMetrics } from '../ops/monitoring.ts'
import { createEventHandlers } from '../realtime/event-handlers.ts'
import { openGateway } from '../realtime/gateway.ts'
import { createRealtimeMetrics } from '../realtime/metrics.ts'
import { startPlayabilityBroadcast } from '../realtime/playability-events.ts'
import type { RoomServer } from '../realtime/room-sockets.ts'
import { createSocketServer } from '../realtime/socket-server.ts'
import { startSyncStatus } from '../realtime/sync-events.ts'
import { startListeningTime } from '../rooms/listening-time.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { startMissingTrackSkip } from '../rooms/schedule/missing-track-skip.ts'
import { loadSecret } from '../secret.ts'
import { createSyncChanges } from '../sync-reports/sync-changes.ts'
import { type Base, type Closers, openBase } from './base.ts'
import { announceAccess, openAccounts, registerAccounts } from './open-accounts.ts'
import { openProviders } from './open-providers.ts'
import { openRooms } from './open-rooms.ts'

const { version } = manifest
/** Where its disk hangs, the other parts still close in time. */
const libraryClosesWithinMs = 2_000
const builtPage = join(import.meta.dirname, '..', '..', '..', 'web', 'dist')

interface AppParts {
  env: Env
  logger: Logger
  clock?: Clock
  /** An open database with all tables, in place of the configured one. */
  db?: Db | undefined
  /** The folder of the built page. */
  pageFolder?: string
}

/** A running server. */
export interface App {
  /** The address it listens on, for example http://127.0.0.1:3000. */
  address: string
  db: Db
  registry: Registry
  rooms: Rooms
  /** Loads after listening, because it is large. Rejects if it cannot be loaded: nobody could sign in. */
  signInLoaded: Promise<void>
  /** Returns the number of sockets connected to this process. */
  socketCount(): number
  /** Starts to scan and watch the music folder, in the background. */
  startLibrary(): void
  /** Closes all parts, the rooms first and the database last. Idempotent. */
  close(): Promise<void>
}

/** Builds the server and listens. Rejects if a part cannot be opened; the parts opened before are closed. */
export async function createApp(parts: AppParts): Promise<App> {
  const closers: Closers = []
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => (closing ??= closeAll(closers))
  try {
    return { ...(await open(parts, closers)), close }
  } catch (error) {
    await close().catch((err: unknown) => parts.logger.error({ err }, 'Could not close cleanly'))
    throw error
  }
}

/** Builds all parts in order: each depends only on those above it, and notifies others by the event bus. */
async function open(parts: AppParts, closers: Closers): Promise<Omit<App, 'close'>> {
  const { env, logger, pageFolder = builtPage } = parts
  const base = await openBase(parts, closers)
  const { db, clock, redisCommands, registry, events } = base
  const secret = await loadSecret(env.secret, env.dataDir)
  const originRule = createOriginRule({ ...env, logger })

  const accounts = openAccounts(base, { secret, originRule })
  const { auth, sessionKeyOf } = accounts
  const { resolveSession } = auth
  const server = await createServer({ ...base, ...auth, sessionKeyOf, originRule, redis: redisCommands })
  closers.push(() => closeServer(server))
  const httpServer = server.server
  const { publicUrl, publicUrls, socketServers, socketsPerAddress } = env
  const io = createSocketServer({ ...base, httpServer, resolveSession, originRule, socketsPerAddress })
  closers.push(() => io.sockets.adapter.close())
  limitClients(httpServer, base)

  const origin = (): string => env.publicUrl ?? listeningAddress(server, env.host)
  const rooms = openRooms(base, io, secret)
  openRealtime(base, io, rooms)
  const listeningTime = startListeningTime({ db, clock, logger, events })
  closers.push(() => listeningTime.close())
  const { library, provider, ...media } = openMusic(base, rooms)

  registerMetrics(server, registry, env.metricsToken)
  await registerDocs(server, { version, isSecure: isAlwaysSecure(env) })
  const health = registerHealth(server, { ...env, db, clock, redis: redisCommands, version })
  const { readStats } = listeningTime
  registerAccounts(base, server, { ...accounts, rooms, library, io, version, readStats, origin })
  const config = readPageConfig({ env, version })
  registerConfigCalls(server, config)
  registerRoomCalls(server, { ...rooms, logger, events, redis: redisCommands })
  const providers = openProviders(base, server, { secret, origin, rooms })
  registerMusicCalls(server, { ...rooms, library: provider, otherProviders: providers })
  const { libraryRule, limiters, presence } = rooms
  const { coverGrants } = rooms.doors
  registerLibraryCalls(server, { db, library, libraryRule, limiters, waveforms: media.waveforms })
  const audioAccess = createAudioAccess({ db, clock, events, libraryRule, presence })
  registerMediaCalls(server, { db, events, audioAccess, coverGrants, ...media })
  registerPlayerFrames(server, env)
  const addresses = { publicUrl, publicUrls, socketServers }
  await registerPage(server, { ...addresses, folder: pageFolder, config, resolveSession, rooms })

  await server.listen({ host: env.host, port: env.port })
  closers.push(() => health.drain(env.drainMs))
  await announceAccess(base)
  void checkMailServer({ ...env, logger })
  const signInLoaded = auth.load(origin())
  signInLoaded.catch(() => undefined)
  const address = listeningAddress(server, env.host)
  return {
    address,
    db,
    registry,
    rooms,
    signInLoaded,
    socketCount: () => io.sockets.sockets.size,
    startLibrary: () => library.start(),
  }
}

/** Opens the music library. Nothing runs before it is started. */
function openMusic({ env, db, clock, logger, events, closers }: Base, { runtime }: Rooms): OpenedLibrary {
  const { musicDir, dataDir } = env
  const opened = openLibrary({ db, clock, logger, musicDir, dataDir })
  closers.push(() => Promise.race([closeLibrary(opened), delay(libraryClosesWithinMs, null, { ref: false })]))
  const findFileState = createFileCheck(db, musicDir, clock)
  const isScanning = () => opened.library.isScanning()
  closers.push(startMissingTrackSkip({ db, logger, events, runtime, clock, findFileState, isScanning }))
  return opened
}

/** Opens the realtime channel to the rooms. */
function openRealtime(base: Base, io: RoomServer, rooms: Rooms): void {
  const { db, clock, logger, events, registry, redis, addressOf, securityLog, closers } = base
  const { presence, syncReports, playability, membership, limiters } = rooms
  const { eventSeconds, syncErrorSeconds } = createRealtimeMetrics(registry, io, syncReports)
  const syncChanges = createSyncChanges(clock)
  const eventHandlers = createEventHandlers({ rooms, events, redis, syncErrorSeconds, syncChanges })
  closers.push(startSyncStatus({ io, clock, logger, presence, syncReports, syncChanges }))
  closers.push(startPlayabilityBroadcast({ io, clock, logger, events, playability }))
  const gateway = openGateway({
    io,
    db,
    clock,
    logger,
    eventSeconds,
    membership,
    limiters,
    addressOf,
    securityLog,
    logMismatch: createMismatchLog(logger),
    eventHandlers,
  })
  closers.push(() => gateway.close())
}

async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not all parts could be closed')
}

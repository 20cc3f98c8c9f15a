import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import manifest from '../package.json' with { type: 'json' }
import { keepGuests } from './accounts/guest-account.ts'
import { createLibraryRule } from './accounts/library-access.ts'
import type { Base, Closers } from './base.ts'
import { makeDataFolder } from './data-folder.ts'
import { type Db, openDatabase } from './db/database.ts'
import type { Env } from './env.ts'
import { createEventBus } from './events.ts'
import { readPageConfig, registerConfigCalls } from './http/calls/config.ts'
import { createAudioAccess } from './accounts/audio-access.ts'
import { registerMediaCalls } from './http/calls/media.ts'
import { registerLibraryCalls } from './http/calls/library.ts'
import { registerMusicCalls } from './http/calls/music.ts'
import { registerRoomCalls } from './http/calls/room.ts'
import { registerDocs } from './http/docs.ts'
import { boundClients } from './http/bound-clients.ts'
import { createAddressOf } from './http/client-address.ts'
import { createOriginRule } from './http/origin.ts'
import { registerPage } from './http/page.ts'
import { registerPlayerFrames } from './http/player-frames.ts'
import { closeServer } from './http/close-server.ts'
import { createServer, listeningAddress } from './http/server.ts'
import { createFileCheck } from './library/missing-file.ts'
import { type OpenedLibrary, closeLibrary, openLibrary } from './library/music-library.ts'
import { createLimiters, createSharedRateLimiter } from './limits/rate-limits.ts'
import { createRegistry, registerHealth, registerMetrics } from './ops/monitoring.ts'
import { lockForProcess } from './ops/process-lock.ts'
import { startRetention } from './ops/retention.ts'
import { createSecurityLog } from './ops/security-log.ts'
import { createMembership } from './presence/membership.ts'
import { startPresenceExpiry } from './presence/presence-expiry.ts'
import { openPresence } from './presence/open-presence.ts'
import { startBroadcast } from './realtime/broadcast.ts'
import type { RoomServer } from './realtime/room-sockets.ts'
import { createClientEvents } from './realtime/client-events.ts'
import { relayClusterEvents } from './realtime/cluster-events.ts'
import { openGateway } from './realtime/gateway.ts'
import { createRealtimeMetrics } from './realtime/metrics.ts'
import { startPlayabilityBroadcast } from './realtime/playability-events.ts'
import { startPresenceBroadcast } from './realtime/presence-broadcast.ts'
import { openRedisLink } from './realtime/redis-link.ts'
import { createRoomRelay } from './realtime/room-relay.ts'
import { createSocketServer } from './realtime/socket-server.ts'
import { startSyncStatus } from './realtime/sync-events.ts'
import { createSyncChanges } from './sync-reports/sync-changes.ts'
import { startActivity } from './rooms/activity/activity.ts'
import { createChat } from './rooms/chat.ts'
import { createDoors } from './rooms/door.ts'
import { startListeningTime } from './rooms/listening-time.ts'
import { startQueueMemory } from './rooms/queue-memory.ts'
import { createRoomAccess } from './rooms/room-access.ts'
import { createRoomRuntime } from './rooms/room-runtime.ts'
import { createRoomSnapshots } from './rooms/room-snapshots.ts'
import { createRoomViews } from './rooms/room-view.ts'
import type { Rooms } from './rooms/rooms.ts'
import { startIdleRoomReset } from './rooms/schedule/idle-room-reset.ts'
import { startMissingTrackSkip } from './rooms/schedule/missing-track-skip.ts'
import { startUnplayableTrackSkip } from './rooms/schedule/unplayable-track-skip.ts'
import { startRoomScheduler } from './rooms/schedule/room-scheduler.ts'
import { createTrackReadiness } from './rooms/schedule/track-readiness.ts'
import { keepTime, openClock } from './keep-time.ts'
import { loadSecret } from './secret.ts'
import { announceAccess, openAccounts, registerAccounts } from './open-accounts.ts'
import { openProviders } from './open-providers.ts'
import { openReports } from './open-reports.ts'

const { version } = manifest
/** Where its disk hangs, the other parts still close in time. */
const libraryClosesWithinMs = 2_000
const builtPage = join(import.meta.dirname, '..', '..', 'web', 'dist')

export interface AppParts {
  env: Env
  logger: Logger
  clock?: Clock
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
  const { db, clock, redis, registry, events } = base
  const secret = await loadSecret(env.secret, env.dataDir)
  const originRule = createOriginRule({ ...env, logger })

  const accounts = openAccounts(base, { secret, originRule })
  const { auth } = accounts
  const { resolveSession } = auth
  const limiterRedis = redis?.commands ?? null
  const server = await createServer({ ...base, originRule, resolveSession, redis: limiterRedis })
  closers.push(() => closeServer(server))
  const httpServer = server.server
  const { socketsPerAddress } = env
  const io = createSocketServer({ ...base, httpServer, resolveSession, originRule, socketsPerAddress })
  closers.push(() => io.sockets.adapter.close())
  boundClients(httpServer, base)

  const origin = (): string => env.publicUrl ?? listeningAddress(server, env.host)
  const rooms = openRooms(base, io, secret)
  openRealtime(base, io, rooms)
  const listeningTime = startListeningTime({ db, clock, logger, events })
  closers.push(() => listeningTime.close())
  const { library, provider, ...media } = openMusic(base, rooms)

  registerMetrics(server, registry, env.metricsToken)
  await registerDocs(server, version)
  const health = registerHealth(server, { ...env, db, clock, redis: limiterRedis, version })
  const { readStats } = listeningTime
  registerAccounts(base, server, { ...accounts, rooms, library, io, version, readStats, origin })
  const config = readPageConfig({ env, version })
  registerConfigCalls(server, config)
  registerRoomCalls(server, { ...rooms, logger, events, redis: limiterRedis })
  const providers = openProviders(base, server, { secret, origin, rooms })
  registerMusicCalls(server, { ...rooms, library: provider, otherProviders: providers })
  const { libraryRule, limiters } = rooms
  registerLibraryCalls(server, { db, library, libraryRule, limiters, waveforms: media.waveforms })
  const audioAccess = createAudioAccess({ db, clock, events, libraryRule })
  registerMediaCalls(server, { ...rooms.doors, db, events, audioAccess, ...media })
  registerPlayerFrames(server, env)
  await registerPage(server, { ...env, folder: pageFolder, config, resolveSession, rooms })

  await server.listen({ host: env.host, port: env.port })
  closers.push(() => health.drain(env.drainMs))
  await announceAccess(base, logger)
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

async function openBase(parts: AppParts, closers: Closers): Promise<Base> {
  const { env, logger } = parts
  const onConnectionError = (error: Error): void => logger.warn({ err: error }, 'Database connection failed')
  await makeDataFolder(env.dataDir)
  const processLock = await lockForProcess({ ...env, isShared: env.redisUrl !== null, logger })
  closers.push(() => processLock.release())
  const db = await openDatabase({ ...env, onConnectionError })
  closers.push(() => db.destroy())
  const redis = env.redisUrl === null ? null : await openRedisLink(env.redisUrl, logger)
  closers.push(() => redis?.close())
  return {
    env,
    logger,
    clock: parts.clock ?? (await openClock(redis)),
    db,
    redis,
    registry: createRegistry(),
    events: createEventBus(logger),
    addressOf: createAddressOf(env),
    securityLog: createSecurityLog(logger),
    closers,
  }
}

/** Broadcasts subscribe before the schedules start, so that no scheduled change is missed. */
function openRooms(base: Base, io: RoomServer, secret: string): Rooms {
  const { env, db, clock, logger, events, redis, closers } = base
  const isShared = redis !== null
  const relay = createRoomRelay(io, redis, logger)
  const { presence, processes } = openPresence(base)
  const { syncReports, playability } = openReports(base, io)
  const { roomPassword, roomPasswordRoom } = limits.rates
  const attempts = {
    ofUser: createSharedRateLimiter('room-password', roomPassword, redis?.commands ?? null),
    ofRoom: createSharedRateLimiter('room-password-room', roomPasswordRoom, redis?.commands ?? null),
  }
  const access = createRoomAccess({ db, clock, attempts })
  const views = createRoomViews({ db, clock, presence, access })
  const membership = createMembership({ db, clock, events, presence, access })

  closers.push(startBroadcast({ io, db, clock, logger, events, views, relay }))
  startQueueMemory({ db, clock, logger, events })
  closers.push(startPresenceBroadcast({ io, db, clock, logger, events, presence, isShared }))
  relayClusterEvents({ io, events, relay, isShared })
  closers.push(startActivity(base))

  const runtime = createRoomRuntime({ db, clock, events, syncReports })
  const readiness = createTrackReadiness({ db, logger, events, presence, runtime })
  const chat = createChat({ db, clock, events, syncReports })
  closers.push(() => chat.close())
  keepTime(base, io, runtime)
  closers.push(startRetention({ ...base, ...base.env }))
  closers.push(startRoomScheduler({ db, clock, logger, events, presence, runtime }))
  startUnplayableTrackSkip({ db, logger, events, presence, runtime })
  closers.push(startIdleRoomReset({ clock, logger, events, presence, runtime }))
  closers.push(startPresenceExpiry({ clock, logger, events, membership, processes }))
  keepGuests({ db, logger, events, membership })
  return {
    db,
    clock,
    libraryRule: createLibraryRule(db, env.libraryAccess),
    presence,
    runtime,
    membership,
    readiness,
    views,
    snapshots: createRoomSnapshots({ db, clock, presence }),
    doors: createDoors({ db, clock, presence, access, secret }),
    chat,
    syncReports,
    playability,
    limiters: createLimiters(),
  }
}

/** Opens the music library. Nothing runs before it is started. */
function openMusic({ env, db, clock, logger, events, closers }: Base, { runtime }: Rooms): OpenedLibrary {
  const { musicDir, dataDir } = env
  const opened = openLibrary({ db, clock, logger, musicDir, dataDir })
  closers.push(() => Promise.race([closeLibrary(opened), delay(libraryClosesWithinMs, null, { ref: false })]))
  const findFileState = createFileCheck(db, musicDir)
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
  const clientEvents = createClientEvents({ rooms, events, redis, syncErrorSeconds, syncChanges })
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
    clientEvents,
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

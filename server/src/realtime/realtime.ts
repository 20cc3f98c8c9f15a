import type { Server as HttpServer } from 'node:http'
import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { ClientEventName } from '@earshot/core/protocol/socket-events'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { ResolveSession } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import type { OriginRule } from '../http/origin.ts'
import { newId } from '../ids.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { createRedisPresence } from '../presence/presence-redis.ts'
import { createRateLimiter } from '../limits/rate-limits.ts'
import { type Rooms, openRooms } from '../rooms/rooms.ts'
import { createSyncBoard } from '../sync-reports/sync-reports.ts'
import { createReportExchange, exchangeWithNobody } from '../sync-reports/sync-report-exchange.ts'
import type { BoundEvent } from './client-event.ts'
import { createBroadcasts } from './broadcast.ts'
import { chatEvents } from './chat-events.ts'
import { diagnosticsEvents } from './sync-events.ts'
import { listenToSockets } from './gateway.ts'
import { membershipEvents } from './membership-events.ts'
import { createEventMetrics, createSyncMetrics, exposeGauges } from './metrics.ts'
import { playbackEvents } from './playback-events.ts'
import { createPresenceBroadcast } from './presence-broadcast.ts'
import { queueEvents } from './client-events.ts'
import type { RedisLink } from './redis-link.ts'
import { createSocketServer } from './socket-server.ts'
import { listenToOtherProcesses } from './cluster-events.ts'
import type { RoomServer } from './socket-types.ts'
import { startSyncStatus } from './sync-status.ts'

export interface RealtimeOptions {
  httpServer: HttpServer
  db: Db
  clock: Clock
  logger: Logger
  /** Where the metrics of this process are registered. */
  registry: Registry
  resolveSession: ResolveSession
  originRule: OriginRule
  /** Null where the server is one process. */
  redis: RedisLink | null
}

/** The realtime channel of this process, and the rooms behind it. */
export interface Realtime {
  rooms: Rooms
  /** Ends the connections of a session that was signed out, in every process. */
  disconnectSession(sessionId: string): void
  /** Sockets connected to this process. */
  socketCount(): number
  close(): Promise<void>
}

/** Serves `/socket.io` on the HTTP server. Whoever opened the link to Redis closes it, after this. */
export function attachRealtime(options: RealtimeOptions): Realtime {
  const { clock, logger, registry, redis } = options
  const io = createSocketServer(options)
  const presence = redis ? createRedisPresence(redis.commands, clock) : createMemoryPresence(clock)
  const syncBoard = createSyncBoard(clock, toExchange(redis, clock))
  const presenceBroadcast = createPresenceBroadcast({ io, clock, logger, presence, isShared: redis !== null })
  const others = listenToOtherProcesses(io, redis !== null)
  const rooms = openRooms({
    ...options,
    presence,
    syncBoard,
    redis: redis?.commands ?? null,
    createBroadcasts: (views) =>
      createBroadcasts({
        io,
        logger,
        views,
        presence: presenceBroadcast,
        removeUser: (roomId, userId) => others.removeUser(roomId, userId),
      }),
  })
  others.onUserRemoved((roomId, userId) => rooms.membership.forget(roomId, userId))
  const pending = createPending()
  const metrics = createEventMetrics(registry)
  const events = listEvents(rooms, registry, redis)
  const { membership, limiters } = rooms
  listenToSockets({ ...options, io, metrics, membership, limiters, events, track: pending.track })
  exposeGauges(registry, io, syncBoard)
  const stopSyncStatus = startSyncStatus({ io, clock, logger, presence, syncBoard })

  return {
    rooms,
    disconnectSession: (sessionId) => others.endSession(sessionId),
    socketCount: () => io.sockets.sockets.size,
    async close() {
      presenceBroadcast.close()
      await Promise.all([stopSyncStatus(), closeSockets(io)])
      await pending.settle()
      await rooms.close()
    },
  }
}

function toExchange(redis: RedisLink | null, clock: Clock) {
  return redis ? createReportExchange(redis.commands, newId(), () => clock.now()) : exchangeWithNobody
}

function listEvents(
  rooms: Rooms,
  registry: Registry,
  redis: RedisLink | null,
): ReadonlyMap<string, BoundEvent> {
  const { db, clock, runtime, readiness, chat, syncBoard } = rooms
  const reports = createRateLimiter('position-report', {
    points: limits.positionReportsPerSecond,
    perMs: 1_000,
  })
  const events = {
    ...playbackEvents({ db, runtime, readiness, reports }),
    ...queueEvents({ db, runtime }),
    ...chatEvents(chat),
    ...membershipEvents({ rooms, channelsSettled: async () => await redis?.settle() }),
    ...diagnosticsEvents({ clock, syncBoard, metrics: createSyncMetrics(registry) }),
  } satisfies Record<ClientEventName, BoundEvent>
  return new Map(Object.entries(events))
}

/** Disconnects the sockets of this process; the HTTP server beneath is closed by whoever opened it. */
async function closeSockets(io: RoomServer): Promise<void> {
  io.local.disconnectSockets(true)
  io.engine.close()
  await io.sockets.adapter.close()
}

/** Work under way, so that closing can wait for it. */
function createPending(): { track: (work: Promise<void>) => void; settle: () => Promise<void> } {
  const pending = new Set<Promise<void>>()
  return {
    track: (work) => {
      const settled = work.catch(() => {}).finally(() => pending.delete(settled))
      pending.add(settled)
    },
    settle: async () => {
      await Promise.all(pending)
    },
  }
}

import { limits } from '@earshot/core/limits'
import { startGuestMerge } from '../accounts/guest-account.ts'
import { createLibraryRule } from '../accounts/library-access.ts'
import { listUpcomingTrackIds } from '../db/room-queues.ts'
import { newId } from '../ids.ts'
import { createLimiters } from '../limits/rate-limits.ts'
import { startRetention } from '../ops/retention.ts'
import { createMembership } from '../presence/membership.ts'
import { startPresenceExpiry } from '../presence/presence-expiry.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { createRedisPresence } from '../presence/presence-redis.ts'
import { createProcessLeases } from '../presence/process-leases.ts'
import { startBroadcast } from '../realtime/broadcast.ts'
import { relayClusterEvents } from '../realtime/cluster-events.ts'
import { connectedUsers } from '../realtime/playability-events.ts'
import { startPresenceBroadcast } from '../realtime/presence-broadcast.ts'
import { createRoomRelay } from '../realtime/room-relay.ts'
import type { RoomServer } from '../realtime/room-sockets.ts'
import { startActivity } from '../rooms/activity/activity.ts'
import { createChat } from '../rooms/chat.ts'
import { createDoors } from '../rooms/door.ts'
import { createPasswordAttempts } from '../rooms/password-attempts.ts'
import { createReactions } from '../rooms/reactions.ts'
import { createRoomAccess } from '../rooms/room-access.ts'
import { createRoomChangeLimit } from '../rooms/room-change-limit.ts'
import { createRoomRuntime } from '../rooms/room-runtime.ts'
import { createRoomSnapshots } from '../rooms/room-snapshots.ts'
import { createRoomViews } from '../rooms/room-view.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { startGaplessStarts } from '../rooms/schedule/gapless-start.ts'
import { createVotesToSkip } from '../rooms/skip-votes.ts'
import { startIdleRoomReset } from '../rooms/schedule/idle-room-reset.ts'
import { startRoomScheduler } from '../rooms/schedule/room-scheduler.ts'
import { createTrackReadiness } from '../rooms/schedule/track-readiness.ts'
import { startUnplayableTrackSkip } from '../rooms/schedule/unplayable-track-skip.ts'
import { createPlayability } from '../sync-reports/playability.ts'
import { type ExchangeReports, createReportExchange } from '../sync-reports/sync-report-exchange.ts'
import { createSyncReports } from '../sync-reports/sync-reports.ts'
import type { Base } from './base.ts'
import { keepTime } from './keep-time.ts'

/** Opens the rooms. Broadcasts subscribe before the schedules start, so that no scheduled change is missed. */
export function openRooms(base: Base, io: RoomServer, secret: string): Rooms {
  const { env, db, clock, logger, events, redis, redisCommands, closers } = base
  const isShared = redis !== null
  const processId = newId()
  const relay = createRoomRelay(io, redis, processId)
  const { presence, processes } = openPresence(base, processId)
  const { syncReports, playability } = openReports(base, io, processId)
  const attempts = createPasswordAttempts(redisCommands, env.addressScale)
  const access = createRoomAccess({ db, clock, attempts })
  const views = createRoomViews({ db, clock, presence, access })
  const membership = createMembership({ db, clock, events, presence, access })

  closers.push(startBroadcast({ io, db, clock, logger, events, views, relay, presence }))
  closers.push(startPresenceBroadcast({ io, db, clock, logger, events, presence, isShared }))
  relayClusterEvents({ io, events, relay, clock, redis })
  closers.push(startActivity(base))

  const runtime = createRoomRuntime({ db, clock, events, syncReports })
  const readiness = createTrackReadiness({ db, logger, events, presence, runtime, syncReports })
  const chat = createChat({ db, clock, logger, events, redis: redisCommands })
  const reactions = createReactions({ clock, events, syncReports })
  closers.push(() => reactions.close())
  const votesToSkip = createVotesToSkip({ db, clock, logger, events, presence, runtime, readiness })
  closers.push(() => votesToSkip.close())
  keepTime(base, io, runtime)
  closers.push(startRetention({ ...base, ...base.env }))
  closers.push(startRoomScheduler({ db, clock, logger, events, presence, runtime, isShared }))
  closers.push(startGaplessStarts({ clock, logger, events, runtime, readiness, syncReports }))
  startUnplayableTrackSkip({ db, logger, events, presence, runtime })
  closers.push(startIdleRoomReset({ clock, logger, events, presence, runtime }))
  closers.push(startPresenceExpiry({ clock, logger, events, membership, processes }))
  startGuestMerge({ db, logger, events, membership })
  return {
    db,
    clock,
    libraryRule: createLibraryRule(db, env.libraryAccess),
    presence,
    runtime,
    changeLimit: createRoomChangeLimit({ db, runtime }),
    membership,
    readiness,
    views,
    snapshots: createRoomSnapshots({ db, clock, presence }),
    doors: createDoors({ db, clock, presence, access, secret }),
    chat,
    reactions,
    votesToSkip,
    syncReports,
    playability,
    limiters: createLimiters(env.addressScale),
  }
}

/** Opens presence: in memory, or shared by the processes of a Redis. */
function openPresence({ redis, clock }: Pick<Base, 'redis' | 'clock'>, processId: string) {
  if (!redis) return { presence: createMemoryPresence(clock), processes: null }
  return {
    presence: createRedisPresence(redis.commands, clock, processId),
    processes: createProcessLeases(redis.commands, clock, processId),
  }
}

/** Opens what members report about their players, shared by all processes. */
function openReports(
  { db, clock, events, redis }: Base,
  io: RoomServer,
  processId: string,
): Pick<Rooms, 'syncReports' | 'playability'> {
  const nowMs = (): number => clock.now()
  const exchange = <Report>(kind: string): ExchangeReports<Report> | null =>
    redis && createReportExchange(redis.commands, { kind, processId, nowMs })
  const syncReports = createSyncReports(clock, exchange('sync'))
  events.on('membersLeaving', ({ roomId, userIds }) => syncReports.forget(roomId, userIds))
  return {
    syncReports,
    playability: createPlayability({
      clock,
      exchange: exchange('playability'),
      listUpcoming: (roomId) => listUpcomingTrackIds(db, roomId, limits.playabilityReportSize),
      connectedUsers: (roomId) => connectedUsers(io, roomId),
    }),
  }
}

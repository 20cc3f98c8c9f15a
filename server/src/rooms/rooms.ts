import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import { createRoomAccess } from './room-access.ts'
import { startAgenda } from './schedule/room-scheduler.ts'
import { type Chat, createChat } from './chat.ts'
import { createGreetings } from './schedule/idle-room-reset.ts'
import { type Membership, createMembership } from '../presence/membership.ts'
import type { Presence } from '../presence/presence.ts'
import { type Limiters, createLimiters, createSharedRateLimiter } from '../limits/rate-limits.ts'
import { type Readiness, createReadiness } from './schedule/track-readiness.ts'
import { keepPresence } from '../presence/presence-keeping.ts'
import type { RoomBroadcasts } from './room-events.ts'
import { type RoomRuntime, createRoomRuntime } from './room-runtime.ts'
import { type RoomViews, createRoomViews } from './room-view.ts'
import type { SyncBoard } from '../sync-reports/sync-reports.ts'

/** Everything that a server process knows how to do with rooms, put together. */
export interface Rooms {
  db: Db
  clock: Clock
  presence: Presence
  runtime: RoomRuntime
  membership: Membership
  readiness: Readiness
  views: RoomViews
  chat: Chat
  syncBoard: SyncBoard
  /** Of what users do, over whichever channel. */
  limiters: Limiters
  /** Stops acting by itself; resolves when nothing of it is under way. */
  close(): Promise<void>
}

export interface RoomsParts {
  db: Db
  clock: Clock
  logger: Logger
  presence: Presence
  syncBoard: SyncBoard
  /** Made from the views, which the broadcast of a room needs. */
  createBroadcasts(views: RoomViews): RoomBroadcasts
  /** For limits that all processes share; null where there is one process. */
  redis: Redis | null
}

/** Opens the rooms, and begins to act for them: tracks end, cues start, leases run out. */
export function openRooms(parts: RoomsParts): Rooms {
  const { db, clock, logger, presence, syncBoard } = parts
  const tries = createSharedRateLimiter('room-password', limits.rates.roomPassword, parts.redis)
  const access = createRoomAccess({ db, clock, tries })
  const views = createRoomViews({ db, clock, presence, access })
  const broadcasts = parts.createBroadcasts(views)
  const membership = createMembership({
    db,
    clock,
    presence,
    access,
    broadcasts,
    ownerArrived: (roomId, ownerId) => greetings.ownerArrived(roomId, ownerId),
    memberDropped: async (roomId) => await readiness.memberDropped(roomId),
  })
  const runtime = createRoomRuntime({
    db,
    clock,
    audience: (roomId) => syncBoard.audience(roomId),
    broadcast: (change) => broadcasts.roomChanged(change),
    committed: (state) => agenda.noticeRoom(state),
  })
  const agenda = startAgenda({
    db,
    clock,
    logger,
    runAsServer: (roomId, plan) => runtime.runCommand(roomId, plan, { kind: 'server' }),
  })
  const readiness = createReadiness({ db, logger, presence, runtime })
  const greetings = createGreetings({ clock, logger, presence, runtime })
  const stopKeeping = keepPresence({ db, clock, logger, presence, membership })

  return {
    db,
    clock,
    presence,
    runtime,
    membership,
    readiness,
    views,
    chat: createChat({ db, clock, broadcasts }),
    syncBoard,
    limiters: createLimiters(),
    async close() {
      greetings.close()
      await Promise.all([agenda.close(), stopKeeping()])
    },
  }
}

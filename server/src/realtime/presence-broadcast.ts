import type { Clock } from '@earshot/core/clock'
import type { Member } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import { type KeyedTimers, createKeyedTimers } from '../async/keyed-timers.ts'
import { createWorkQueue } from '../async/work-queue.ts'
import type { Db } from '../db/database.ts'
import { findOwnerId } from '../db/rooms.ts'
import type { EventBus } from '../events.ts'
import type { Presence } from '../presence/presence.ts'
import type { RoomServer } from './room-sockets.ts'
import { channelOf } from './room-channels.ts'
import { readFirstMembers } from '../rooms/members.ts'
import { serverLimits } from '../server-limits.ts'

/** Rooms whose members are read at the same time. */
const concurrency = 50

interface PresenceBroadcastParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Presence
  /** Whether other processes broadcast to the same rooms. Their messages may cross, so the last is repeated. */
  isShared: boolean
}

/**
 * Broadcasts the members of a room as they change: at once in a small room, where all who joined until its members are read
 * make one write to each connection; in a larger one in batches, less often the larger it is, and never more than the first
 * page and the owner. So n joins of one room cost O(n), not O(n^2). Where only the number of members behind that page changes, it is sent
 * less often. Returns a function that cancels pending broadcasts and waits for those under way.
 */
export function startPresenceBroadcast(parts: PresenceBroadcastParts): () => Promise<void> {
  const { io, db, clock, logger, events, presence } = parts
  const pages = createSentPages(clock)

  /** By room, who joined since its members were read last; empty where they changed otherwise. */
  const changes = new Map<string, Member[]>()
  /** Rooms whose timer has fired: their members are sent, however many they are. */
  const due = new Set<string>()
  const timers = createSendTimers(clock, (roomId) => {
    due.add(roomId)
    rooms.add(roomId)
  })

  const sendMembers = async (roomId: string): Promise<void> => {
    const ownerId = await findOwnerId(db, roomId)
    const joined = changes.get(roomId) ?? []
    changes.delete(roomId)
    const { users, count } = await readFirstMembers(presence, roomId, ownerId)
    const waitMs = count > users.length ? pages.waitOf(roomId, users) : 0
    if (waitMs > 0) return timers.startCount(roomId, waitMs)
    pages.note(roomId, count > users.length ? users : null)
    timers.cancelCount(roomId)
    const members = io.to(channelOf(roomId))
    // Of a larger room, some may have joined since its timer fired.
    if (count <= serverLimits.presenceBatchAbove)
      for (const user of joined) members.emit('userJoin', { roomId, user })
    members.emit('userPresence', { roomId, users, count })
  }

  const send = async (roomId: string): Promise<void> => {
    if (!changes.has(roomId)) return
    const count = await presence.countMembers(roomId)
    if (count > serverLimits.presenceBatchAbove) {
      changes.delete(roomId)
      return timers.startBatch(roomId, batchMs(count))
    }
    await sendMembers(roomId)
    if (parts.isShared) timers.startBatch(roomId, batchMs(count))
  }

  const message = 'Could not broadcast the members of a room; clients catch up with the next change'
  // One queue for changes and timers: lists of a room that were read at once might be sent in the wrong order.
  const rooms = createWorkQueue(concurrency, (roomId) =>
    (due.delete(roomId) ? sendMembers(roomId) : send(roomId)).catch((error: unknown) =>
      logger.error({ err: error, roomId }, message),
    ),
  )
  const announce = (roomId: string, joined: readonly Member[]): void => {
    changes.set(roomId, [...(changes.get(roomId) ?? []), ...joined])
    rooms.add(roomId)
  }

  events.on('memberJoined', ({ roomId, member }) => announce(roomId, [member]))
  events.on('membersChanged', ({ roomId }) => announce(roomId, []))
  events.on('ownerChanged', ({ roomId }) => announce(roomId, []))
  events.on('roomClosed', ({ roomId }) => {
    changes.delete(roomId)
    due.delete(roomId)
    timers.cancel(roomId)
    pages.note(roomId, null)
  })
  return async () => {
    timers.close()
    await rooms.close()
  }
}

/** Two timers per room: a count that waits must not delay a batch, whose first page may have changed. */
function createSendTimers(clock: Clock, onDue: (roomId: string) => void) {
  const [batches, counts] = [createKeyedTimers(clock), createKeyedTimers(clock)]
  const start = (timers: KeyedTimers, roomId: string, waitMs: number): void => {
    if (!timers.has(roomId)) timers.set(roomId, clock.now() + waitMs, () => onDue(roomId))
  }
  return {
    /** Changes nothing where the timer runs already, as does `startCount`. */
    startBatch: (roomId: string, waitMs: number) => start(batches, roomId, waitMs),
    startCount: (roomId: string, waitMs: number) => start(counts, roomId, waitMs),
    cancelCount: (roomId: string) => counts.cancel(roomId),
    cancel(roomId: string): void {
      batches.cancel(roomId)
      counts.cancel(roomId)
    },
    close(): void {
      batches.close()
      counts.close()
    },
  }
}

/** The first pages of rooms with further members, as this process sent them last. */
function createSentPages(clock: Clock) {
  const sent = new Map<string, { page: string; atMs: number }>()
  return {
    /** How long a page that everybody has waits to be sent with a new number of members, ms. */
    waitOf(roomId: string, users: readonly Member[]): number {
      const last = sent.get(roomId)
      if (last?.page !== JSON.stringify(users)) return 0
      return Math.max(0, last.atMs + serverLimits.presenceCountMs - clock.now())
    },
    /** Null: the page holds all members, or the room is gone. */
    note(roomId: string, users: readonly Member[] | null): void {
      if (users) sent.set(roomId, { page: JSON.stringify(users), atMs: clock.now() })
      else sent.delete(roomId)
    },
  }
}

const batchMs = (members: number): number =>
  Math.max(serverLimits.presenceBatchMs, members * serverLimits.presenceBatchPerMemberMs)

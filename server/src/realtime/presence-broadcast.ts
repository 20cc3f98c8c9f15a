import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import { createBatched } from '../async/batched.ts'
import { type KeyedTimers, createKeyedTimers } from '../async/keyed-timers.ts'
import type { Db } from '../db/database.ts'
import { findOwnerId } from '../db/rooms.ts'
import type { EventBus } from '../events.ts'
import type { Presence } from '../presence/presence.ts'
import { type RoomServer } from './room-sockets.ts'
import { channelOf } from './room-channels.ts'
import { orderMembers } from '../rooms/room-view.ts'

interface Change {
  roomId: string
  /** Null: members left, or the owner changed. */
  joined: Member | null
}

/**
 * Broadcasts the members of a room as they change: at once in a small room; in a larger one in batches, less often the
 * larger it is, and never more than the first page. So n joins of one room cost O(n), not O(n^2). Where only the number of
 * members behind that page changes, it is sent less often. Returns a function that cancels pending batches.
 */
export function startPresenceBroadcast(parts: {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Presence
  /** Whether other processes broadcast to the same rooms. Their messages may cross, so the last is repeated. */
  isShared: boolean
}): () => void {
  const { io, db, clock, logger, events, presence } = parts
  // A number that waits must not hold up a batch, whose page may be another.
  const [batches, numbers] = [createKeyedTimers(clock), createKeyedTimers(clock)]
  const pages = createSentPages(clock)

  const sendMembers = async (roomId: string, count: number): Promise<void> => {
    const [page, ownerId] = await Promise.all([
      presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize }),
      findOwnerId(db, roomId),
    ])
    const users = orderMembers(page, ownerId)
    const waitMs = count > users.length ? pages.waitOf(roomId, users) : 0
    if (waitMs > 0) return sendAfter(numbers, roomId, waitMs)
    pages.note(roomId, count > users.length ? users : null)
    numbers.cancel(roomId)
    io.to(channelOf(roomId)).emit('userPresence', { roomId, users, count })
  }

  const sendAfter = (timers: KeyedTimers, roomId: string, waitMs: number): void => {
    if (timers.has(roomId)) return
    timers.set(roomId, clock.now() + waitMs, () =>
      run(async () => sendMembers(roomId, await presence.countMembers(roomId))),
    )
  }

  const sendLater = (roomId: string, count: number): void =>
    sendAfter(batches, roomId, Math.max(limits.presenceBatchMs, count * limits.presenceBatchPerMemberMs))

  const send = async (roomId: string, changes: readonly Change[]): Promise<void> => {
    const count = await presence.countMembers(roomId)
    if (count > limits.presenceBatchAbove) return sendLater(roomId, count)
    for (const { joined } of changes) {
      if (joined) io.to(channelOf(roomId)).emit('userJoin', { roomId, user: joined })
    }
    await sendMembers(roomId, count)
    if (parts.isShared) sendLater(roomId, count)
  }

  const run = async (task: () => Promise<void>): Promise<void> => {
    const message = 'Could not broadcast the members of a room; clients catch up with the next change'
    await task().catch((error: unknown) => logger.error({ err: error }, message))
  }

  /** Changes that come while a room's members are sent make one further broadcast. */
  const sendTogether = createBatched(async (changes: readonly Change[]) => {
    const byRoom = [...Map.groupBy(changes, (change) => change.roomId)]
    await Promise.all(byRoom.map(([roomId, ofRoom]) => run(() => send(roomId, ofRoom))))
    return changes
  })
  const announce = (roomId: string, joined: Member | null): void => void sendTogether({ roomId, joined })

  events.on('memberJoined', ({ roomId, member }) => announce(roomId, member))
  events.on('membersChanged', ({ roomId }) => announce(roomId, null))
  events.on('ownerChanged', ({ roomId }) => announce(roomId, null))
  events.on('roomClosed', ({ roomId }) => pages.note(roomId, null))
  return () => {
    batches.close()
    numbers.close()
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
      return Math.max(0, last.atMs + limits.presenceCountMs - clock.now())
    },
    /** Null: the page holds all members, or the room is gone. */
    note(roomId: string, users: readonly Member[] | null): void {
      if (users) sent.set(roomId, { page: JSON.stringify(users), atMs: clock.now() })
      else sent.delete(roomId)
    },
  }
}

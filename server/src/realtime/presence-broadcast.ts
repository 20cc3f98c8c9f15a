import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import { createBatched } from '../async/batched.ts'
import { createKeyedTimers } from '../async/keyed-timers.ts'
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
 * larger it is, and never more than the first page. So n joins of one room cost O(n), not O(n^2). Returns a function
 * that cancels pending batches.
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
  const batches = createKeyedTimers(clock)

  const sendMembers = async (roomId: string, count: number): Promise<void> => {
    const [page, ownerId] = await Promise.all([
      presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize }),
      findOwnerId(db, roomId),
    ])
    const users = orderMembers(page, ownerId)
    io.to(channelOf(roomId)).emit('userPresence', { roomId, users, count })
  }

  const sendLater = (roomId: string, count: number): void => {
    if (batches.has(roomId)) return
    const waitMs = Math.max(limits.presenceBatchMs, count * limits.presenceBatchPerMemberMs)
    batches.set(roomId, clock.now() + waitMs, () =>
      run(async () => sendMembers(roomId, await presence.countMembers(roomId))),
    )
  }

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
  return () => batches.close()
}

import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../async/keyed-timers.ts'
import { orderMembers } from '@earshot/core/room/members'
import type { Presence } from '../presence/presence.ts'
import { type RoomServer, channelOf } from './socket-types.ts'

/**
 * Tells a room who is in it: at once in a small room; in a larger one in batches, the less often the larger it is, and
 * never more than the first page of members. So n people who come into one room cost O(n), not O(n^2).
 */
export interface PresenceBroadcast {
  memberJoined(roomId: string, member: Member): void
  membersChanged(roomId: string): void
  close(): void
}

export function createPresenceBroadcast(parts: {
  io: RoomServer
  clock: Clock
  logger: Logger
  presence: Presence
  /** Other processes tell the same rooms: what two of them say at once may cross, so the last word is said again. */
  isShared: boolean
}): PresenceBroadcast {
  const { io, clock, logger, presence } = parts
  /** Rooms that hear of their members in a moment. */
  const planned = createKeyedTimers(clock)

  const tellMembers = async (roomId: string, count: number): Promise<void> => {
    const page = await presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize })
    const users = orderMembers(page)
    io.to(channelOf(roomId)).emit('userPresence', { roomId, users, count })
  }

  const tellLater = (roomId: string, count: number): void => {
    if (planned.has(roomId)) return
    const waitMs = Math.max(limits.presenceBatchMs, count * limits.presenceBatchPerMemberMs)
    planned.set(roomId, clock.now() + waitMs, () =>
      run(async () => tellMembers(roomId, await presence.countMembers(roomId))),
    )
  }

  const tell = async (roomId: string, joined: Member | null): Promise<void> => {
    const count = await presence.countMembers(roomId)
    if (count > limits.presenceBatchAbove) return tellLater(roomId, count)
    if (joined) io.to(channelOf(roomId)).emit('userJoin', { roomId, user: joined })
    await tellMembers(roomId, count)
    if (parts.isShared) tellLater(roomId, count)
  }

  const run = (task: () => Promise<void>): void => {
    task().catch((error: unknown) => logger.error({ err: error }, 'could not tell a room who is in it'))
  }

  return {
    memberJoined: (roomId, member) => run(() => tell(roomId, member)),
    membersChanged: (roomId) => run(() => tell(roomId, null)),
    close: () => planned.close(),
  }
}

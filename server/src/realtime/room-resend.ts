import type { Clock } from '@earshot/core/clock'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import { createCoalescedRun } from '../async/coalesced-run.ts'
import { inTurns } from '../async/in-batches.ts'
import type { Db } from '../db/database.ts'
import { listMessagesSince } from '../db/messages.ts'
import { type ListedRoom, findListedRooms } from '../db/rooms.ts'
import type { EventBus } from '../events.ts'
import type { Presence } from '../presence/presence.ts'
import { readFirstMembers } from '../rooms/members.ts'
import { toWireRoom } from '../rooms/room-view.ts'
import { toStoredRoom } from '../rooms/store/stored-room.ts'
import type { RoomServer } from './room-sockets.ts'
import { channelOf, deltaChannelOf, roomIdsOf } from './room-channels.ts'
import type { WholeQueues } from './whole-queues.ts'

/** Rooms read in one query, and sent in one turn. */
const batchSize = 50
/** Messages sent again in these rooms, the latest. */
const messagesMax = 1_000
/** By how much the clocks of two processes may differ, and a write may take. */
export const lossMarginMs = 5_000
const retryMs = 5_000

export interface RoomResendParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Pick<Presence, 'listMembers' | 'countMembers' | 'findMember'>
  wholeQueues: Pick<WholeQueues, 'sendStored'>
}

/**
 * Where broadcasts may have been missed, sends the members of this process each of their rooms as it is stored: settings,
 * playback, the version of the queue, the messages since then, and the members. They ignore what they know already, and ask
 * for a queue of another version. Returns a function that waits for a run under way, and stops retrying.
 */
export function startRoomResend(parts: RoomResendParts): () => Promise<void> {
  const { clock, logger, events } = parts
  let missedSinceMs = Infinity
  let cancelRetry = (): void => {}
  const resends = createCoalescedRun(async () => {
    const sinceMs = missedSinceMs
    missedSinceMs = Infinity
    try {
      await resendRooms(parts, sinceMs - lossMarginMs)
    } catch (error) {
      logger.warn({ err: error }, 'Could not send rooms again; retrying in 5 s')
      missedSinceMs = Math.min(missedSinceMs, sinceMs)
      cancelRetry()
      cancelRetry = clock.after(retryMs, () => void resends.request())
    }
  })
  events.on('broadcastsMissed', async ({ sinceMs, by }) => {
    if (by === 'elsewhere') return
    missedSinceMs = Math.min(missedSinceMs, sinceMs)
    await resends.request()
  })
  return async () => {
    await resends.idle()
    cancelRetry()
  }
}

async function resendRooms(parts: RoomResendParts, sinceMs: number): Promise<void> {
  const { io, db, wholeQueues } = parts
  for await (const batch of inTurns(roomIdsOf(io.sockets.adapter.rooms.keys()), batchSize)) {
    const rooms = await findListedRooms(db, batch)
    for (const room of rooms) {
      resendRoom(io, room)
      wholeQueues.sendStored(room.row.id)
    }
    for (const message of await listMessagesSince(db, batch, { sinceMs, limit: messagesMax })) {
      const { room_id: roomId } = message
      io.local.to(channelOf(roomId)).emit('message', { roomId, message })
    }
    await Promise.all(rooms.map((room) => resendMembers(parts, room)))
  }
}

function resendRoom(io: RoomServer, listed: ListedRoom): void {
  const { state, queueVersion: version } = toStoredRoom(listed)
  const { id: roomId, timeline } = state
  const sequence_number = timeline.sequenceNumber
  const nothing = { roomId, baseVersion: version, version, parts: [], sequence_number }
  const members = io.local.to(channelOf(roomId))
  members.emit('roomUpdate', { roomId, room: toWireRoom(listed, true) })
  io.local.to(deltaChannelOf(roomId)).emit('queueDelta', nothing)
  members.emit('playback_updated', { roomId, state: toPlaybackState(timeline, null) })
}

async function resendMembers({ io, presence }: RoomResendParts, { row }: ListedRoom): Promise<void> {
  const { users, count } = await readFirstMembers(presence, row.id, row.owner_id)
  io.local.to(channelOf(row.id)).emit('userPresence', { roomId: row.id, users, count })
}

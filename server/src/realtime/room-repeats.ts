import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import { inTurns } from '../async/in-batches.ts'
import type { Db } from '../db/database.ts'
import { listMessagesSince } from '../db/messages.ts'
import { type ListedRoom, findListedRooms } from '../db/rooms.ts'
import { toWireRoom } from '../rooms/room-view.ts'
import { toStoredRoom } from '../rooms/store/stored-room.ts'
import { type RoomServer } from './room-sockets.ts'
import { channelOf, deltaChannelOf, roomIdsOf } from './room-channels.ts'
import type { WholeQueues } from './whole-queues.ts'

/** Rooms read in one query, and sent in one turn. */
const batchSize = 50
/** Messages sent again in these rooms, the latest. */
const messagesMax = 1_000
/** A process that died has stored nothing before its last renewal of the lease; with what sweeps and clocks may add. */
const unsentMs = limits.processLeaseMs + limits.presenceSweepMs + 5_000

/**
 * Sends the members of this process each of their rooms as it is stored: settings, playback, the version of the queue, and
 * the messages of the last seconds. They ignore what they know already, and ask for a queue of another version. Covers
 * changes that were stored by a process that died before it could broadcast them.
 */
export async function repeatRooms(
  { io, db, clock }: { io: RoomServer; db: Db; clock: Clock },
  wholeQueues: Pick<WholeQueues, 'sendStored'>,
): Promise<void> {
  const unsent = { sinceMs: clock.now() - unsentMs, limit: messagesMax }
  for await (const batch of inTurns(roomIdsOf(io.sockets.adapter.rooms.keys()), batchSize)) {
    for (const room of await findListedRooms(db, batch)) {
      repeatRoom(io, room)
      wholeQueues.sendStored(room.row.id)
    }
    for (const message of await listMessagesSince(db, batch, unsent)) {
      const { room_id: roomId } = message
      io.local.to(channelOf(roomId)).emit('message', { roomId, message })
    }
  }
}

function repeatRoom(io: RoomServer, listed: ListedRoom): void {
  const { row, track } = listed
  const { state, queueVersion: version } = toStoredRoom(row, track, [])
  const { timeline } = state
  const roomId = row.id
  const sequence_number = timeline.sequenceNumber
  const nothing = { roomId, baseVersion: version, version, parts: [], sequence_number }
  const members = io.local.to(channelOf(roomId))
  members.emit('roomUpdate', { roomId, room: toWireRoom(listed, true) })
  io.local.to(deltaChannelOf(roomId)).emit('queueDelta', nothing)
  members.emit('playback_updated', { roomId, state: toPlaybackState(timeline, null) })
}

import { toPlaybackState } from '@earshot/core/sync/timeline'
import type { Db } from '../db/database.ts'
import { type RoomWithTrack, findRooms } from '../db/rooms.ts'
import { toStoredRoom } from '../rooms/store/stored-room.ts'
import { type RoomServer } from './room-sockets.ts'
import { channelOf, deltaChannelOf } from './room-channels.ts'
import type { WholeQueues } from './whole-queues.ts'

/** Rooms read in one query. */
const batchSize = 500

/**
 * Sends the members of this process the stored playback of each of their rooms and the version of its queue. What they
 * know already they ignore; a queue of another version they ask for. For changes that were stored by a process that died
 * before it could broadcast them.
 */
export async function repeatRooms(
  { io, db }: { io: RoomServer; db: Db },
  wholeQueues: Pick<WholeQueues, 'sendStored'>,
): Promise<void> {
  const prefix = channelOf('')
  const channels = [...io.sockets.adapter.rooms.keys()].filter((name) => name.startsWith(prefix))
  const roomIds = channels.map((name) => name.slice(prefix.length))
  for (let start = 0; start < roomIds.length; start += batchSize) {
    const rooms = await findRooms(db, roomIds.slice(start, start + batchSize))
    for (const room of rooms.values()) {
      repeatRoom(io, room)
      wholeQueues.sendStored(room.row.id)
    }
  }
}

function repeatRoom(io: RoomServer, { row, track }: RoomWithTrack): void {
  const { state, queueVersion: version } = toStoredRoom(row, track, [])
  const { timeline } = state
  const roomId = row.id
  const sequence_number = timeline.sequenceNumber
  const nothing = { roomId, baseVersion: version, version, parts: [], sequence_number }
  io.local.to(deltaChannelOf(roomId)).emit('queueDelta', nothing)
  io.local.to(channelOf(roomId)).emit('playback_updated', { roomId, state: toPlaybackState(timeline, null) })
}

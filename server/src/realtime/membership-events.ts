import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { createTurnSpread } from '../async/turn-spread.ts'
import type { RoomRow } from '../db/rooms.ts'
import type { Membership } from '../presence/membership.ts'
import type { KnownQueue, RoomSnapshots } from '../rooms/room-snapshots.ts'
import type { VotesToSkip } from '../rooms/skip-votes.ts'
import type { SyncChanges } from '../sync-reports/sync-changes.ts'
import { type EventCall, bindEvent } from './bind-event.ts'
import type { RoomSocket } from './room-sockets.ts'
import { channelOf, joinChannels, leaveChannels, roomIdsOf, switchQueueChannel } from './room-channels.ts'
import type { RedisLink } from './redis-link.ts'
import { shareEncoding } from './wire/shared-payloads.ts'
import { serverLimits } from '../server-limits.ts'

/** A snapshot with a queue of 1,000 entries is 350 kB; writing it takes half a ms. */
const answersPerTurn = 5

interface MembershipEventsParts {
  membership: Membership
  snapshots: RoomSnapshots
  syncChanges: SyncChanges
  votesToSkip: VotesToSkip
  /** Null where the server is one process. */
  redis: RedisLink | null
}

export function membershipEvents(parts: MembershipEventsParts) {
  const { membership, snapshots, redis } = parts
  /** Enters the room. A socket that may not enter leaves its channels again; one that is gone by then leaves its lease. */
  const enterRoom = async (room: RoomRow, { socket, user }: EventCall): Promise<void> => {
    try {
      // From here on the channel receives the broadcasts of all processes.
      await redis?.settle()
      await membership.enter(room, user, socket.id)
    } catch (error) {
      await leaveChannels(socket, room.id)
      throw error
    }
    // A socket that disconnected in the meantime must not keep its lease.
    if (!socket.connected) await membership.disconnect(socket.id)
  }
  const waitForTurn = createTurnSpread(answersPerTurn)

  return {
    join_room: bindEvent('join_room', {
      rate: 'join',
      isForOutsiders: true,
      handle: async ({ roomId, password, invite, queueDeltas, longQueues, syncChanges }, call) => {
        const { socket, user } = call
        refuseMoreRooms(socket, roomId)
        const room = await membership.admit(roomId, user, { password, invite, address: socket.data.address })
        // Joins the channel first, so that no event after the snapshot is missed.
        await joinChannels(socket, roomId, { queueDeltas, syncChanges })
        await enterRoom(room, call)
        const [taken, votes] = await Promise.all([
          snapshots.takeSnapshot(roomId, toKnown(call, { longQueues })),
          parts.votesToSkip.welcome(room, user.id),
        ])
        const snapshot = shareEncoding(taken)
        // All who share the snapshot have it at once.
        await waitForTurn()
        if (!call.hasAck) sendSnapshot(socket, snapshot)
        const sync = syncChanges ? parts.syncChanges.latest(roomId) : null
        if (sync) socket.emit('sync_changes', shareEncoding(sync))
        if (votes) socket.emit('skip_votes', { roomId, ...votes })
        return snapshot
      },
    }),
    user_left: bindEvent('user_left', {
      rate: 'join',
      handle: async ({ roomId }, call) => {
        await leaveChannels(call.socket, roomId)
        await membership.leave({ roomId, userId: call.user.id, holderId: call.socket.id })
        return {}
      },
    }),
    request_sync: bindEvent('request_sync', {
      rate: 'join',
      handle: async ({ roomId, queueDeltas, brief = false, ...queue }, call) => {
        if (queueDeltas) await switchQueueChannel(call.socket, roomId, { queueDeltas })
        const known = toKnown(call, queue)
        if (brief && call.hasAck) return await snapshots.takeBriefSnapshot(roomId, known)
        const snapshot = shareEncoding(await snapshots.takeSnapshot(roomId, known))
        await waitForTurn()
        // Sent besides the answer: clients that know only the events of section 7 wait for it.
        if (call.hasAck) call.socket.emit('playback_updated', { roomId, state: snapshot.state })
        else sendSnapshot(call.socket, snapshot)
        return snapshot
      },
    }),
  }
}

/** A client that waits for no answer gets whole queues. */
const toKnown = (
  { hasAck }: EventCall,
  { queueVersion, longQueues }: { queueVersion?: number | undefined; longQueues?: boolean | undefined },
): KnownQueue => ({
  version: (hasAck ? queueVersion : null) ?? null,
  isStartEnough: hasAck && longQueues === true,
})

/** The leases of a connection are renewed together. */
function refuseMoreRooms({ rooms }: RoomSocket, roomId: string): void {
  const most = serverLimits.roomsPerConnection
  if (rooms.has(channelOf(roomId)) || roomIdsOf(rooms).length < most) return
  throw new AppError('too_many_rooms', `A connection can be in ${most} rooms at a time. Leave one first`)
}

/** Sends the snapshot as events, to a client that does not wait for an answer. */
function sendSnapshot(socket: RoomSocket, snapshot: RoomSnapshot): void {
  const { room, queue, queueVersion, members, memberCount, state } = snapshot
  const roomId = room.id
  socket.emit('roomUpdate', { roomId, room })
  socket.emit('queueUpdate', { roomId, queue, version: queueVersion })
  socket.emit('userPresence', { roomId, users: members, count: memberCount })
  socket.emit('playback_updated', { roomId, state })
}

import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import type { RoomRow } from '../db/rooms.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { type EventCall, bindEvent } from './client-event.ts'
import { type RoomSocket, channelOf } from './socket-types.ts'

export interface MembershipEventsParts {
  rooms: Rooms
  /** Resolves when what is sent to the rooms of this process's sockets reaches them, from every process. */
  channelsSettled: () => Promise<void>
}

export function membershipEvents({ rooms, channelsSettled }: MembershipEventsParts) {
  const { membership, views } = rooms

  const enterOrLeave = async (room: RoomRow, { socket, user }: EventCall): Promise<void> => {
    try {
      await channelsSettled()
      await membership.enter(room, user, socket.id)
    } catch (error) {
      await socket.leave(channelOf(room.id))
      throw error
    }
    // A socket that dropped in the meantime must not keep its seat.
    if (!socket.connected) await membership.drop(socket.id)
  }

  return {
    join_room: bindEvent('join_room', {
      rate: 'join',
      handle: async ({ roomId, password }, call) => {
        const { socket, user } = call
        const room = await membership.admit(roomId, user.id, password ?? null)
        // In the channel first: nothing that happens after the snapshot was taken may be missed.
        await socket.join(channelOf(roomId))
        await enterOrLeave(room, call)
        const snapshot = await views.takeSnapshot(roomId)
        if (!call.hasAck) tellAll(socket, snapshot)
        return snapshot
      },
    }),
    user_left: bindEvent('user_left', {
      rate: 'join',
      handle: async ({ roomId }, call) => {
        await call.requireMember(roomId)
        await call.socket.leave(channelOf(roomId))
        await membership.leave({ roomId, userId: call.user.id, seatId: call.socket.id })
        return {}
      },
    }),
    request_sync: bindEvent('request_sync', {
      rate: 'join',
      handle: async ({ roomId }, call) => {
        await call.requireMember(roomId)
        const snapshot = await views.takeSnapshot(roomId)
        // Also with an answer: a client that knows only the events of section 7 waits for this one.
        if (call.hasAck) call.socket.emit('playback_updated', { roomId, state: snapshot.state })
        else tellAll(call.socket, snapshot)
        return snapshot
      },
    }),
  }
}

/** The snapshot as events, for a client that does not wait for an answer. */
function tellAll(socket: RoomSocket, snapshot: RoomSnapshot): void {
  const { room, queue, queueVersion, members, memberCount, state } = snapshot
  const roomId = room.id
  socket.emit('roomUpdate', { roomId, room })
  socket.emit('queueUpdate', { roomId, queue, version: queueVersion })
  socket.emit('userPresence', { roomId, users: members, count: memberCount })
  socket.emit('playback_updated', { roomId, state })
}

import type { EventBus } from '../events.ts'
import { type RoomServer, leaveChannels } from './client-event.ts'

/**
 * Relays events between server processes, and applies them to the sockets of this one: ends the connections of a
 * session that ended, and removes users from the channels of rooms they left. What members cannot play is known to all
 * processes, since each may have to skip the track.
 */
export function relayClusterEvents(parts: {
  io: RoomServer
  events: EventBus
  /** Whether there may be other processes. */
  isShared: boolean
}): void {
  const { io, events, isShared } = parts

  events.on('sessionEnded', ({ sessionId, isRemote }) => {
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.session.id === sessionId) socket.disconnect(true)
    }
    if (isShared && !isRemote) io.serverSideEmit('session_ended', sessionId)
  })
  events.on('userRemoved', ({ roomId, userId, isRemote }) => {
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.session.user.id === userId) void leaveChannels(socket, roomId)
    }
    if (isShared && !isRemote) io.serverSideEmit('user_removed', roomId, userId)
  })
  events.on('tracksUnplayable', ({ isRemote, ...report }) => {
    if (isShared && !isRemote) io.serverSideEmit('tracks_unplayable', report)
  })

  io.on('session_ended', (sessionId) => void events.emit('sessionEnded', { sessionId, isRemote: true }))
  io.on('user_removed', (roomId, userId) => {
    void events.emit('userRemoved', { roomId, userId, isRemote: true })
  })
  io.on('tracks_unplayable', (report) => void events.emit('tracksUnplayable', { ...report, isRemote: true }))
}

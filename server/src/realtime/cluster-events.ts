import { type RoomServer, channelOf } from './socket-types.ts'

/** What one process does to sockets that may be connected to another. */
export interface OtherProcesses {
  /** Disconnects the sockets of a session, everywhere. */
  endSession(sessionId: string): void
  /** Takes a user's sockets out of a room, everywhere. */
  removeUser(roomId: string, userId: string): void
  /** Is called in every process when a user was taken out of a room. */
  onUserRemoved(listener: (roomId: string, userId: string) => void): void
}

export function listenToOtherProcesses(io: RoomServer, hasOthers: boolean): OtherProcesses {
  const listeners: ((roomId: string, userId: string) => void)[] = []

  const endHere = (sessionId: string): void => {
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.session.id === sessionId) socket.disconnect(true)
    }
  }

  const removeHere = (roomId: string, userId: string): void => {
    for (const listener of listeners) listener(roomId, userId)
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.session.user.id === userId) void socket.leave(channelOf(roomId))
    }
  }

  io.on('session_ended', endHere)
  io.on('user_removed', removeHere)

  return {
    endSession(sessionId) {
      endHere(sessionId)
      if (hasOthers) io.serverSideEmit('session_ended', sessionId)
    },
    removeUser(roomId, userId) {
      removeHere(roomId, userId)
      if (hasOthers) io.serverSideEmit('user_removed', roomId, userId)
    },
    onUserRemoved(listener) {
      listeners.push(listener)
    },
  }
}

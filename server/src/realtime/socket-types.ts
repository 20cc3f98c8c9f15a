import type { ClientToServerEvents, ServerToClientEvents } from '@earshot/core/protocol/socket-events'
import type { Server, Socket } from 'socket.io'
import type { Session } from '../auth/session.ts'

/** What server processes tell each other about sockets. */
export interface InterServerEvents {
  session_ended: (sessionId: string) => void
  user_removed: (roomId: string, userId: string) => void
}

export interface SocketData {
  session: Session
}

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>

/** The socket.io room in which the sockets of a room's members are. */
export const channelOf = (roomId: string): string => `room:${roomId}`

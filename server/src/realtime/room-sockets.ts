import type { ClientToServerEvents, ServerToClientEvents } from '@earshot/core/protocol/socket-events'
import type { Server, Socket } from 'socket.io'
import type { Session } from '../auth/session.ts'
import type { UnplayableReport } from '../events.ts'

/** Events between all server processes. Those about a room go through room-relay.ts. */
interface InterServerEvents {
  session_ended: (sessionId: string) => void
  profile_changed: (userId: string) => void
  broadcasts_missed: (sinceMs: number) => void
  /** Sent by a process that heard nothing for a while: the others tell again which messages were deleted there. */
  deletions_missed: (sinceMs: number) => void
  tracks_unplayable: (report: UnplayableReport) => void
}

interface SocketData {
  session: Session
  /** Under which the connection is counted; null: it is not. */
  address: string | null
  /** It is disconnected because its session ended. */
  isSignedOut?: boolean
}

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>

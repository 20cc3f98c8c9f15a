import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { emptyTimeline, type Timeline } from '@earshot/core/sync/timeline'
import type { RoomSessionState } from './room-state.ts'

/** What the server says of the room's playback and queue, without the viewer's own commands on their way. */
export interface ConfirmedRoom {
  timeline: Timeline
  track: Track | null
  queue: QueueEntry[]
  /** Null where the server does not number its queues. */
  queueVersion: number | null
}

/** A command of the viewer that the server has not answered yet. */
export type PendingCommand = {
  id: string
  /** The confirmed sequence number when it was given: once that changes, the room knows better. */
  basedOn: number
  /** The server's time when it was given, ms. */
  atServerMs: number
} & ({ command: 'play' | 'pause' | 'next' | 'previous' } | { command: 'seek'; positionMs: number })

/** All that a room's store holds. `timeline`, `track` and `queue` are the confirmed ones plus what is pending. */
export interface RoomSessionData extends RoomSessionState {
  confirmed: ConfirmedRoom
  pending: PendingCommand[]
  /** The session's user: 3.9 and ownership are about them. */
  userId: string
}

export function initialSessionData(
  userId: string,
  settings: Pick<RoomSessionData, 'volume' | 'isMuted' | 'nudgesMs'>,
): RoomSessionData {
  const confirmed = { timeline: emptyTimeline, track: null, queue: [], queueVersion: null }
  return {
    phase: 'loading',
    joinError: null,
    connection: 'disconnected',
    room: null,
    isOwner: false,
    members: [],
    memberCount: 0,
    messages: [],
    hasOlderMessages: false,
    sync: { errorMs: null, cause: 'no_clock' },
    memberSync: {},
    roomSync: { p50Ms: null, p95Ms: null },
    isSoundBlocked: false,
    ...settings,
    timeline: confirmed.timeline,
    track: confirmed.track,
    queue: confirmed.queue,
    confirmed,
    pending: [],
    userId,
  }
}

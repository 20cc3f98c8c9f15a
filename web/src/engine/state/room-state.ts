import type { Member, Message, QueueEntry, Room, Source, Track } from '@earshot/core/protocol/entities'
import type { ErrorCode } from '@earshot/core/protocol/errors'
import type { SyncCause } from '@earshot/core/protocol/socket-events'
import type { Timeline } from '@earshot/core/sync/timeline'

/** Where somebody stands on the way into a room (2.17). */
export type RoomPhase = 'loading' | 'connecting' | 'not_found' | 'joined'

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected' | 'disabled'

/** What the room page draws. One small store a room; only room-session writes it. */
export interface RoomSessionState {
  phase: RoomPhase
  /** With phase not_found: 'password_required' or 'wrong_password' show the password field. */
  joinError: ErrorCode | null
  connection: ConnectionStatus
  room: Room | null
  isOwner: boolean
  queue: QueueEntry[]
  members: Member[]
  memberCount: number
  /** Oldest first. */
  messages: Message[]
  hasOlderMessages: boolean
  /** The room's timeline, with the viewer's own command applied at once while it is on its way. */
  timeline: Timeline
  track: Track | null
  /** This listener's own sync: error in ms (positive = ahead of the room) and why. */
  sync: { errorMs: number | null; cause: SyncCause }
  /** The last report of each member, by member id. */
  memberSync: Record<string, { errorMs: number | null; cause: SyncCause }>
  /** How far half, and 95 %, of the listeners are off at most, in ms; null while nobody has reported. */
  roomSync: { p50Ms: number | null; p95Ms: number | null }
  /** The browser refuses to play sound until somebody taps. */
  isSoundBlocked: boolean
  /** 0..1, remembered on this device. */
  volume: number
  isMuted: boolean
  /** How much this device's sound is held back, in ms, by source; remembered on this device. */
  nudgesMs: Record<Source, number>
}

/** What the room page can do. Commands resolve when the server has answered and reject with an AppError. */
export interface RoomActions {
  play: () => Promise<void>
  pause: () => Promise<void>
  seek: (positionMs: number) => Promise<void>
  next: () => Promise<void>
  previous: () => Promise<void>
  /** Aligns this listener with the room at once (2.23, 2.28). */
  sync: () => Promise<void>
  addTrack: (track: Track) => Promise<void>
  removeEntry: (entryId: string) => Promise<void>
  sendMessage: (content: string) => Promise<void>
  loadOlderMessages: () => Promise<void>
  submitPassword: (password: string) => void
  retryConnection: () => void
  setVolume: (volume: number) => void
  setMuted: (isMuted: boolean) => void
  /** Holds this device's sound back by so many ms for a source, or lets it go ahead where negative. */
  setNudge: (source: Source, nudgeMs: number) => void
  /** To be called from a click: lets the browser play sound. */
  unlockSound: () => Promise<void>
  /** Where the room is now, in ms; for the progress bar, at most once a frame. */
  positionNow: () => number
}

import type { ConnectionStatus } from '@earshot/core/machines/connection-state'
import type { MembershipPhase } from '@earshot/core/machines/membership-state'
import type { Member, Message, QueueEntry, Room, Source, Track } from '@earshot/core/protocol/entities'
import type { ErrorCode } from '@earshot/core/protocol/errors'
import type { SyncCause } from '@earshot/core/protocol/socket-events'
import { emptyTimeline, type Timeline } from '@earshot/core/sync/timeline'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** The room's playback and queue as the server last confirmed them. */
export interface ConfirmedRoom {
  timeline: Timeline
  track: Track | null
  queue: QueueEntry[]
  /** Null where the server does not number its queues. */
  queueVersion: number | null
}

export type OwnerCommand =
  { command: 'play' | 'pause' | 'next' | 'previous' } | { command: 'seek'; positionMs: number }

export type PendingPlayback = OwnerCommand & {
  id: string
  /** The confirmed sequence number at the time of the command; a newer one makes the prediction obsolete. */
  basedOn: number
  /** The server's time of the command, ms. */
  atServerMs: number
}

export type PendingQueueEdit = { id: string } & (
  | { command: 'add'; track: Track; addedBy: string; knownEntryIds: ReadonlySet<string> }
  | { command: 'remove'; entryId: string }
)

/** A command of the viewer that the server has not answered yet. */
export type PendingCommand = PendingPlayback | PendingQueueEdit

/** The state of one room on this page. Everything that follows from it is derived by `viewRoom`. */
export interface RoomState {
  /** The session's user: 3.9 and ownership depend on it. */
  userId: string
  phase: MembershipPhase
  /** With phase not_found: 'password_required' or 'wrong_password' show the password field. */
  joinError: ErrorCode | null
  connection: ConnectionStatus
  room: Room | null
  confirmed: ConfirmedRoom
  /** In the order they were given. */
  pending: readonly PendingCommand[]
  members: Member[]
  /** Members beyond the list, which the server cuts off in large rooms. */
  unlistedMembers: number
  /** Oldest first. */
  messages: Message[]
  hasOlderMessages: boolean
  /** This listener's own sync: error in ms (positive = ahead of the room) and why. */
  sync: { errorMs: number | null; cause: SyncCause }
  /** The last report of each member, by member id. */
  memberSync: Record<string, { errorMs: number | null; cause: SyncCause }>
  /** Median and 95th percentile of the listeners' errors in ms; null without reports. */
  roomSync: { p50Ms: number | null; p95Ms: number | null }
  /** The browser refuses to play sound until a tap. */
  isSoundBlocked: boolean
  /** 0..1, remembered on this device. */
  volume: number
  isMuted: boolean
  /** Delay of this device's sound in ms, by source; remembered on this device. */
  nudgesMs: Record<Source, number>
}

/** One store a room. Every change is a pure function of the state. */
export type RoomStore = StoreApi<RoomState>

export const createRoomStore = (initial: RoomState): RoomStore => createStore(() => initial)

/** Applies a change; one that returns the same state notifies no subscriber. */
export function update(store: RoomStore, change: (state: RoomState) => RoomState): void {
  store.setState(change, true)
}

export function initialRoomState(
  userId: string,
  settings: Pick<RoomState, 'volume' | 'isMuted' | 'nudgesMs'>,
): RoomState {
  return {
    userId,
    phase: 'loading',
    joinError: null,
    connection: 'disconnected',
    room: null,
    confirmed: { timeline: emptyTimeline, track: null, queue: [], queueVersion: null },
    pending: [],
    members: [],
    unlistedMembers: 0,
    messages: [],
    hasOlderMessages: false,
    sync: { errorMs: null, cause: 'no_clock' },
    memberSync: {},
    roomSync: { p50Ms: null, p95Ms: null },
    isSoundBlocked: false,
    ...settings,
  }
}

export const isOwnedByViewer = ({ room, userId }: RoomState): boolean => room?.owner_id === userId

import type { Member, QueueEntry, Room, Source, Track } from '@earshot/core/protocol/entities'
import type { ErrorCode } from '@earshot/core/protocol/errors'
import type { UnplayableCounts, UnplayableReason } from '@earshot/core/protocol/providers'
import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { emptyTimeline, type Timeline } from '@earshot/core/sync/timeline'
import { type Controls, hasControls, isInCharge, mayRemove } from '@earshot/core/room/permissions'
import type { QueueDelta } from '@earshot/core/room/queue-delta'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { MembershipPhase } from '@earshot/core/machines/membership'
import type { ConnectionStatus } from '@earshot/core/machines/connection'
import { initialChat, type ChatState } from '../chat/chat-state.ts'
import { type ActivityFeed, emptyFeed } from './activity.ts'
import type { KnownVotes } from './skip-votes.ts'
import { predict, type DrawnRoom, type PendingCommand } from './optimistic.ts'

/** The room's playback and queue as the server last confirmed them. */
interface ConfirmedRoom {
  timeline: Timeline
  track: Track | null
  queue: readonly QueueEntry[]
  /** Null where the server does not number its queues. */
  queueVersion: number | null
  /** How many entries the queue has, where those of `queue` are not all of them; null where they are. */
  queueTotal: number | null
}

/** A queue of a change whose timeline is still to come; both are applied together. */
interface AwaitedQueue {
  queue: QueueEntry[]
  queueVersion: number | null
  /** Of the timeline that it belongs to. */
  sequenceNumber: number
}

/** A difference of the queue, with the sequence number of the timeline that it belongs to. */
interface AwaitedDelta extends QueueDelta {
  sequenceNumber: number
}

/** Tracks that replace others for this listener, by the id of the room's track; kept for the visit. */
export type Substitutes = Readonly<Record<string, Track>>

/** The state of one room on this page. Everything that follows from it is derived by `viewRoom`. */
export interface RoomState extends ChatState {
  /** The session's user: 3.9 and ownership depend on it. */
  userId: string
  phase: MembershipPhase
  /** With phase not_found: 'password_required' or 'wrong_password' show the password field. */
  joinError: ErrorCode | null
  /** When the server allows another attempt, ms since the epoch; null where it did not say. */
  joinRetryAtMs: number | null
  connection: ConnectionStatus
  room: Room | null
  confirmed: ConfirmedRoom
  awaitedQueue: AwaitedQueue | null
  /** Differences of the queue, in order, that wait for their timeline or for an earlier one. */
  awaitedDeltas: readonly AwaitedDelta[]
  /** In the order they were given. */
  pending: readonly PendingCommand[]
  members: Member[]
  /** Members beyond the list, which the server cuts off in large rooms. */
  unlistedMembers: number
  activity: ActivityFeed
  /** This listener's own sync. */
  sync: ListenerSync
  /** The last report of each member, by member id. */
  memberSync: Record<string, ListenerSync>
  /** Median and 95th percentile of what the listeners are in sync within, in ms; null without reports. */
  roomSync: { p50Ms: number | null; p95Ms: number | null }
  /** How many members cannot play a track, this listener included, by track id; of the current and the next tracks. */
  unplayable: UnplayableCounts
  /** Why this listener cannot play a track, by track id; of the current and the next tracks. */
  ownUnplayable: Readonly<Record<string, UnplayableReason>>
  substitutes: Substitutes
  /** Null until the server has counted. */
  skipVotes: KnownVotes | null
  /** The browser refuses to play sound until a tap. */
  isSoundBlocked: boolean
  /** Whether this page sounds, or why not: its listener paused it, or another tab of the same user took over. */
  ownSound: 'on' | 'paused' | 'in_other_tab'
  /** The Spotify account plays on another device, until the listener chooses this one again. */
  isSpotifyElsewhere: boolean
  /** The player could not load or play its track, and tries again. */
  hasSoundFailed: boolean
  /** The server answers with an error where the sound is awaited; the player asks again. */
  isSoundRefused: boolean
  /** Until when the provider refuses the player, ms since the epoch; null if it does not say. */
  soundRetryAtMs: number | null
  /** The code of the player could not be loaded, and is tried again. */
  isPlayerMissing: boolean
  /** 0..1, remembered on this device. */
  volume: number
  isMuted: boolean
  /** Delay of this device's sound in ms, by source; remembered on this device. */
  nudgesMs: Record<Source, number>
}

/** One store a room. */
export type RoomStore = StoreApi<RoomState>

export const createRoomStore = (initial: RoomState): RoomStore => createStore(() => initial)

/** Applies a reducer; one that returns the same state notifies no subscriber. Single fields are set by `setState`. */
export function update(store: RoomStore, change: (state: RoomState) => RoomState): void {
  store.setState(change, true)
}

/**
 * Calls back after a change of one of the named fields, with these fields, so that none is read without being named.
 * Returns a function that stops it.
 */
export function watch<Key extends keyof RoomState>(
  store: RoomStore,
  keys: readonly Key[],
  onChange: (state: Pick<RoomState, Key>, before: Pick<RoomState, Key>) => void,
): () => void {
  return store.subscribe((state, before) => {
    if (keys.some((key) => state[key] !== before[key])) onChange(state, before)
  })
}

export function initialRoomState(
  userId: string,
  { volume, isMuted, nudgesMs }: Pick<RoomState, 'volume' | 'isMuted' | 'nudgesMs'>,
): RoomState {
  return {
    userId,
    phase: 'loading',
    joinError: null,
    joinRetryAtMs: null,
    connection: 'disconnected',
    room: null,
    confirmed: { timeline: emptyTimeline, track: null, queue: [], queueVersion: null, queueTotal: null },
    awaitedQueue: null,
    awaitedDeltas: [],
    pending: [],
    members: [],
    unlistedMembers: 0,
    ...initialChat,
    activity: emptyFeed,
    sync: { errorMs: null, cause: 'no_clock' },
    memberSync: {},
    roomSync: { p50Ms: null, p95Ms: null },
    unplayable: {},
    ownUnplayable: {},
    substitutes: {},
    skipVotes: null,
    isSoundBlocked: false,
    ownSound: 'on',
    isSpotifyElsewhere: false,
    hasSoundFailed: false,
    isSoundRefused: false,
    soundRetryAtMs: null,
    isPlayerMissing: false,
    volume,
    isMuted,
    nudgesMs,
  }
}

/** Whether this listener hears another track in place of the room's. */
export function isSubstituted({
  confirmed,
  substitutes,
}: Pick<RoomState, 'confirmed' | 'substitutes'>): boolean {
  const { trackId } = confirmed.timeline
  return trackId !== null && trackId in substitutes
}

/** Returns whether this page sounds, or why not. Spotify on another device silences only Spotify's tracks here. */
export function soundHere(
  state: Pick<RoomState, 'ownSound' | 'isSpotifyElsewhere' | 'confirmed' | 'substitutes'>,
): RoomState['ownSound'] | 'on_other_device' {
  const { ownSound, isSpotifyElsewhere, confirmed } = state
  const isElsewhere = isSpotifyElsewhere && confirmed.timeline.source === 'spotify' && !isSubstituted(state)
  return ownSound === 'on' && isElsewhere ? 'on_other_device' : ownSound
}

interface ViewedRoom {
  room: Room | null
  /** The viewer. */
  userId: string
}

export const isOwnedByViewer = ({ room, userId }: ViewedRoom): boolean => room?.owner_id === userId

const toControls = ({ owner_id, controller, settings }: Room): Controls => ({
  ownerId: owner_id,
  controllerId: controller?.id ?? null,
  settings,
})

/** Whether the viewer's playback commands take effect (17.22a, 17.23). */
export const mayViewerControl = ({ room, userId }: ViewedRoom): boolean =>
  room !== null && hasControls(toControls(room), userId)

/** Whether the viewer may remove an entry of the queue (17.24). */
export const mayViewerRemove = ({ room, userId }: ViewedRoom, entry: QueueEntry): boolean =>
  room !== null && mayRemove(toControls(room), entry, userId)

/**
 * Whether the room follows the viewer's position reports: the owner's, and those of the controller while the owner is
 * away.
 */
export const isViewerLeading = (viewed: ViewedRoom): boolean =>
  viewed.room !== null && isInCharge(toControls(viewed.room), viewed.userId)

/** Returns the track that is heard for a track of the room. */
export function heardTrack<Some extends Track>(
  substitutes: Substitutes,
  track: Some | null,
): Track | Some | null {
  return track && (substitutes[track.id] ?? track)
}

/** The room as the page draws it. */
export interface RoomView extends RoomState, DrawnRoom {
  isOwner: boolean
  /** The viewer may play, pause, seek and skip. */
  mayControl: boolean
  /** The room plays, or starts as soon as its listeners are ready. */
  isPlayingOrCued: boolean
  memberCount: number
  /** The track that this listener hears: the room's, or the same song from another source. */
  heardTrack: Track | null
}

const views = new WeakMap<RoomState, RoomView>()

/** Derives what the page draws. The same state gives the same object; unchanged parts stay identical. */
export function viewRoom(state: RoomState): RoomView {
  const known = views.get(state)
  if (known) return known
  const isOwner = isOwnedByViewer(state)
  const memberCount = state.members.length + state.unlistedMembers
  const drawn = drawRoom(state)
  const heard = heardTrack(state.substitutes, drawn.track)
  const view = {
    ...state,
    ...drawn,
    isOwner,
    mayControl: mayViewerControl(state),
    isPlayingOrCued: drawn.timeline.isPlaying || drawn.timeline.isCueing,
    memberCount,
    heardTrack: heard,
  }
  views.set(state, view)
  return view
}

/** The latest result for each confirmed room, so that React sees a new queue only when it changed. */
const drawings = new WeakMap<ConfirmedRoom, { pending: RoomState['pending']; drawn: DrawnRoom }>()

function drawRoom({ confirmed, pending }: RoomState): DrawnRoom {
  const known = drawings.get(confirmed)
  if (known?.pending === pending) return known.drawn
  const { timeline, track, queue } = pending.reduce<DrawnRoom>(predict, confirmed)
  const drawn = { timeline, track, queue }
  drawings.set(confirmed, { pending, drawn })
  return drawn
}

/** Forgets what only members know, and with the track what the player follows; keeps the room's name. */
export function clearRoom(state: RoomState): RoomState {
  const { phase, joinError, joinRetryAtMs, connection, outgoing } = state
  const { ownSound, isSoundBlocked, isSpotifyElsewhere } = state
  return {
    ...initialRoomState(state.userId, state),
    phase,
    joinError,
    joinRetryAtMs,
    connection,
    outgoing,
    ownSound,
    isSoundBlocked,
    isSpotifyElsewhere,
    room: state.room && { ...state.room, currentTrack: null },
  }
}

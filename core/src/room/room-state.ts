import { limits } from '../limits.ts'
import type { QueueEntry, RoomSettings, Track } from '../protocol/entities.ts'
import type { Timeline } from '../sync/timeline.ts'

/** The state that room commands act on. Loaded from the database before a command and stored after it. */
export interface RoomState {
  id: string
  ownerId: string
  settings: RoomSettings
  /** The member who has the controls while the owner is away. */
  controllerId: string | null
  /** While the owner is away: since when, and when the controls pass to the member who is there longest. */
  ownerAbsence: OwnerAbsence | null
  timeline: Timeline
  /** The timeline's track. */
  track: Track | null
  /** In order; positions are always 0..n-1. */
  queue: QueueEntry[]
  /** The sequence number with which the track became current: each time one does, it is a higher one. 0 before the first. */
  turn: number
  /** The user who added the current track; null if unknown. */
  trackAddedBy: AddedBy | null
  /** Set when the user who added the track is banned: it is not repeated. */
  isLastTurn: boolean
  cue: Cue | null
  /** Ids of the latest commands, newest last: a repeated command is applied once. */
  recentCommandIds: string[]
  /** When the latest command of each repeatable type came: a follow-up without an id repeats it. */
  lastCommandsAtMs: Partial<Record<RoomCommandType, number>>
  /** Whether the room has ever played. */
  hasPlayed: boolean
  /** The track ended in an empty room, which continues when a member joins. */
  isAwaitingListeners: boolean
  /** Somebody paused, and nobody played since: a track added to the empty room does not start. */
  isPausedByHand: boolean
  /** The room was paused because the disk of its track is not mounted. It ended where `diskLookAt` returns null. */
  diskWait: DiskWait | null
  /** The imports of the last hour, newest last. */
  imports: AppliedImport[]
}

/** Times in ms of the server's clock. */
export interface OwnerAbsence {
  sinceMs: number
  /** Null while nobody is there, or while somebody has the controls. */
  handOverAtMs: number | null
}

export interface DiskWait {
  /** Of the pause: what somebody commands raises that of the room, and ends the wait. */
  sequenceNumber: number
  /** When a server process looks for the disk next, ms of the server's clock. */
  lookAtMs: number
}

/** A user who added a track; the name is null if unknown. */
export interface AddedBy {
  id: string
  username: string | null
}

/** An import of tracks, so that repeating it adds nothing twice. */
export interface AppliedImport {
  id: string
  atMs: number
  /** The places of its tracks that were not added, for example because the queue was full. */
  notAdded: number[]
}

/** A new track that waits until its listeners have loaded it: it starts when they are ready, or at the deadline. */
interface Cue {
  deadlineAtMs: number
}

/**
 * `isGuest`: has no account. `isMember`: callers refuse all others before they make an actor; `authorize` refuses them again,
 * should one forget to.
 */
export type Actor = { kind: 'user'; id: string; isMember: boolean; isGuest?: boolean } | { kind: 'server' }

export const serverActor: Actor = { kind: 'server' }

/** The actor of a command by a user whose membership was checked. */
export function asMember(userId: string, isGuest: boolean): Actor {
  return { kind: 'user', id: userId, isMember: true, isGuest }
}

/** The first entry of a queue, which the listeners loaded while the track of this sequence number plays. */
export interface LoadedNext {
  sequenceNumber: number
  entryId: string
}

/** A change to a room's playback or queue. Positions in ms. */
export type RoomCommand =
  | { type: 'play' | 'pause'; commandId?: string; isFollowUp?: boolean }
  /** `trackId`: the track to skip; ignored unless it is current. */
  | { type: 'next'; trackId?: string; loaded?: LoadedNext | null; commandId?: string; isFollowUp?: boolean }
  /** `back`: the track played before, which becomes current; the current one then queues first, as `entryId`. */
  | {
      type: 'previous'
      commandId?: string
      isFollowUp?: boolean
      back?: { track: Track; addedBy: AddedBy | null; entryId: string } | null
    }
  | { type: 'seek'; positionMs: number; commandId?: string; isFollowUp?: boolean }
  /** Makes a track current; `entryId` takes it out of the queue. */
  | { type: 'select_track'; track: Track; entryId: string | null; isPlaying: boolean; commandId?: string }
  | {
      type: 'add_track'
      track: Track
      entryId: string
      addedBy: AddedBy
      commandId?: string
    }
  /** Several tracks at once; null for one that cannot be added. The same `importId` adds nothing twice. */
  | { type: 'add_tracks'; importId: string; tracks: (Track | null)[]; addedBy: AddedBy }
  | { type: 'remove_entry'; entryId: string; commandId?: string }
  | { type: 'move_entry'; entryId: string; index: number; commandId?: string }
  /** Undoes a removal, or the clearing `removalId`; the entries, in order, have the positions that they were removed from. */
  | {
      type: 'restore_entries'
      entries: QueueEntry[]
      removedAtMs: number
      removalId?: string
      commandId?: string
    }
  /** `removalId`: under which what it removes is kept, to be restored. */
  | { type: 'clear_queue'; removalId?: string; commandId?: string }
  /** Removes what a user added, as when the owner bans them. */
  | { type: 'remove_entries_of'; userId: string }
  /** The order of known entries, and tracks to add with their entry ids. Removes nothing. */
  | {
      type: 'arrange_queue'
      order: string[]
      added: { track: Track; entryId: string }[]
      addedBy: AddedBy
    }
  /** The position of the owner's player. Moves the room only beyond the seek threshold, or when forced. */
  | { type: 'report_position'; positionMs: number; atServerMs: number; isForced: boolean }
  | { type: 'correct_duration'; durationMs: number }
  /** The owner joined: resets a room that never played, or an idle one without other members, to 0:00. */
  | { type: 'owner_joined'; othersPresent: number }
  /** Issued by the room scheduler; ignored unless the sequence number is current. */
  | { type: 'track_ended'; sequenceNumber: number; isRoomEmpty?: boolean }
  | { type: 'start_cued'; sequenceNumber: number }
  /** Before the end of the current track: the entry follows at that end; ignored unless it is first in the queue. */
  | ({ type: 'start_next' } & LoadedNext)
  /** The server's clock is set differently by so much: what is to come, and what plays, moves with it. */
  | { type: 'clock_stepped'; byMs: number }
  /** Somebody joined a room that was empty. */
  | { type: 'listener_arrived' }
  /** The disk of the current track is not mounted: pauses the room until it is back, to be looked for at `lookAtMs`. */
  | { type: 'await_disk'; lookAtMs: number }
  | { type: 'disk_returned'; sequenceNumber: number }
  /** Enough listeners voted to skip the track of this turn. */
  | { type: 'skip_by_vote'; turn: number; loaded: LoadedNext | null }
  /** Nobody can play the current track and these queue entries; ignored unless the track is current. */
  | { type: 'skip_unavailable'; trackId: string; unavailableEntryIds: string[] }
  /** The owner left, came back, or the controls pass on; ignored unless they are still with `from`. */
  | { type: 'change_controls'; from: string | null; to: string | null; absence: OwnerAbsence | null }

export type RoomCommandType = RoomCommand['type']

/** Derives commands from the current state of a room. Pure: it may run more than once. */
export type CommandPlan = (state: RoomState, nowMs: number) => RoomCommand[]

/** Returns a plan whose commands are each completed by `complete`. */
export function completePlan(
  command: RoomCommand | CommandPlan,
  complete: (each: RoomCommand) => RoomCommand,
): CommandPlan {
  return (state, nowMs) => (typeof command === 'function' ? command(state, nowMs) : [command]).map(complete)
}

export interface CommandContext {
  actor: Actor
  /** The server's clock, ms. */
  nowMs: number
  /** How far ahead of `nowMs` a start is scheduled, ms. */
  leadMs: number
  /** So many listeners are loading the current track that a start waits for them. */
  isAudienceLoading?: boolean
}

/** Returns the lead of a move within a playing library track, or to the next one: what sounds, sounds on until then. */
export const moveLeadMs = ({ leadMs }: CommandContext): number =>
  Math.min(limits.leadMaxMs, leadMs + limits.moveCostMs)

/** A part of the room that a command changed and that must be broadcast. */
export type RoomChange = 'playback' | 'track' | 'queue' | 'controls'

export interface RoomOutcome {
  state: RoomState
  /** Empty if the command changed nothing, such as a repeated one or a report that agrees with the timeline. */
  changes: RoomChange[]
}

/** Whether the room plays, or starts as soon as its cued track is ready. */
export function isPlayingOrCued(state: RoomState): boolean {
  return state.timeline.isPlaying || state.cue !== null
}

/** Whether a track that is added to the room without one starts as soon as its listeners have loaded it (17.20). */
export const startsByItself = ({ isPausedByHand }: RoomState): boolean => !isPausedByHand

/** Returns the room with a changed timeline, `step` sequence numbers later; omitted fields stay. */
export function changeTimeline(state: RoomState, change: Partial<Timeline>, step: number): RoomOutcome {
  const sequenceNumber = state.timeline.sequenceNumber + step
  return {
    state: { ...state, timeline: { ...state.timeline, ...change, sequenceNumber } },
    changes: ['playback'],
  }
}

/** Returns the user who added a queue entry; null if unknown. */
export function adderOf({ added_by: id, added_by_name: username }: QueueEntry): AddedBy | null {
  return id === null ? null : { id, username: username ?? null }
}

/** Sets the positions of queue entries to 0..n-1. */
export function renumberQueue(entries: QueueEntry[]): QueueEntry[] {
  return entries.map((entry, position) => (entry.position === position ? entry : { ...entry, position }))
}

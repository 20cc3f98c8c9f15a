import type { QueueEntry, Track } from '../protocol/entities.ts'
import type { Timeline } from '../sync/timeline.ts'

/** The state that room commands act on. Loaded from the database before a command and stored after it. */
export interface RoomState {
  id: string
  ownerId: string
  timeline: Timeline
  /** The timeline's track. */
  track: Track | null
  /** In order; positions are always 0..n-1. */
  queue: QueueEntry[]
  cue: Cue | null
  /** Ids of the latest commands, newest last: a repeated command is applied once. */
  recentCommandIds: string[]
  /** The latest repeatable command and its time: a follow-up without an id repeats it. */
  lastCommand?: { type: RoomCommandType; atMs: number } | null
  /** Whether the room has ever played. */
  hasPlayed: boolean
  /** The track ended in an empty room, which continues when a member joins. */
  isAwaitingListeners?: boolean
  /** The imports of the last hour, newest last. */
  imports?: AppliedImport[]
}

/** An import of tracks, so that repeating it adds nothing twice. */
export interface AppliedImport {
  id: string
  atMs: number
  /** The places of its tracks that were not added, for example because the queue was full. */
  notAdded: number[]
}

/** A new track that waits until its listeners have loaded it: it starts when they are ready, or at the deadline. */
export interface Cue {
  startWhenReady: boolean
  deadlineAtMs: number
}

export type Actor = { kind: 'user'; id: string; isMember: boolean } | { kind: 'server' }

/** A change to a room's playback or queue. Positions in ms. */
export type RoomCommand =
  | { type: 'play' | 'pause' | 'next' | 'previous'; commandId?: string; isFollowUp?: boolean }
  | { type: 'seek'; positionMs: number; commandId?: string; isFollowUp?: boolean }
  /** Makes a track current; `entryId` takes it out of the queue. */
  | { type: 'select_track'; track: Track; entryId: string | null; isPlaying: boolean; commandId?: string }
  | { type: 'add_track'; track: Track; entryId: string; addedBy: string }
  /** Several tracks at once; null for one that cannot be added. The same `importId` adds nothing twice. */
  | { type: 'add_tracks'; importId: string; tracks: (Track | null)[]; addedBy: string }
  | { type: 'remove_entry'; entryId: string }
  /** The order of known entries, and tracks to add with their entry ids. Removes nothing. */
  | { type: 'arrange_queue'; order: string[]; added: { track: Track; entryId: string }[]; addedBy: string }
  /** The position of the owner's player. Moves the room only beyond the seek threshold, or when forced. */
  | { type: 'report_position'; positionMs: number; atServerMs: number; isForced: boolean }
  | { type: 'correct_duration'; durationMs: number }
  /** The owner joined: resets a room that never played, or an idle one without other members, to 0:00. */
  | { type: 'owner_joined'; othersPresent: number }
  /** Issued by the room scheduler; ignored unless the sequence number is current. */
  | { type: 'track_ended'; sequenceNumber: number; isRoomEmpty?: boolean }
  | { type: 'start_cued'; sequenceNumber: number }
  /** The server's clock is set differently by so much: what is to come, and what plays, moves with it. */
  | { type: 'clock_stepped'; byMs: number }
  /** Somebody joined a room that was empty. */
  | { type: 'listener_arrived' }
  /** The files of the current track and of these queue entries are gone; ignored unless the track is current. */
  | { type: 'skip_missing'; trackId: string; missingEntryIds: string[] }

export type RoomCommandType = RoomCommand['type']

export interface CommandContext {
  actor: Actor
  /** The server's clock, ms. */
  nowMs: number
  /** How far ahead of `nowMs` a start is scheduled, ms. */
  leadMs: number
}

/** A part of the room that a command changed and that must be broadcast. */
export type RoomChange = 'playback' | 'track' | 'queue'

export interface RoomOutcome {
  state: RoomState
  /** Empty if the command changed nothing, such as a repeated one or a report that agrees with the timeline. */
  changes: RoomChange[]
}

/** Whether the room plays, or starts as soon as its cued track is ready. */
export function isPlayingOrCued(state: RoomState): boolean {
  return state.timeline.isPlaying || (state.cue?.startWhenReady ?? false)
}

/** Returns the room with a changed timeline, `step` sequence numbers later; omitted fields stay. */
export function changeTimeline(state: RoomState, change: Partial<Timeline>, step: number): RoomOutcome {
  const sequenceNumber = state.timeline.sequenceNumber + step
  return {
    state: { ...state, timeline: { ...state.timeline, ...change, sequenceNumber } },
    changes: ['playback'],
  }
}

/** Sets the positions of queue entries to 0..n-1. */
export function renumberQueue(entries: QueueEntry[]): QueueEntry[] {
  return entries.map((entry, position) => (entry.position === position ? entry : { ...entry, position }))
}

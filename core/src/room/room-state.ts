import type { QueueEntry, Track } from '../protocol/entities.ts'
import type { Timeline } from '../sync/timeline.ts'

/** What the rules of a room work on. Loaded from the database before a command and stored after it. */
export interface RoomState {
  id: string
  ownerId: string
  timeline: Timeline
  /** The track of the timeline. */
  track: Track | null
  /** In order; positions are always 0..n-1. */
  queue: QueueEntry[]
  cue: Cue | null
  /** Ids of the latest commands, newest last, so that a repeated one is applied once. */
  recentCommandIds: string[]
  /** The latest of the commands that clients repeat, and when it came: a follow-up without an id repeats it. */
  lastCommand?: { type: RoomCommandType; atMs: number } | null
  /** Whether anybody ever let it play. */
  hasPlayed: boolean
}

/** A changed track that waits for the listeners: it starts when they are ready, or at the deadline. */
export interface Cue {
  startWhenReady: boolean
  deadlineAtMs: number
}

export type Actor = { kind: 'user'; id: string; isMember: boolean } | { kind: 'server' }

/** Everything that can happen to a room's playback and queue. Positions in ms. */
export type RoomCommand =
  | { type: 'play' | 'pause' | 'next' | 'previous'; commandId?: string; isFollowUp?: boolean }
  | { type: 'seek'; positionMs: number; commandId?: string; isFollowUp?: boolean }
  /** Makes a track current; `entryId` takes it out of the queue. */
  | { type: 'select_track'; track: Track; entryId: string | null; isPlaying: boolean; commandId?: string }
  | { type: 'add_track'; track: Track; entryId: string; addedBy: string }
  | { type: 'remove_entry'; entryId: string }
  /** The order of known entries, and tracks to add (with the ids they get). Nothing is removed. */
  | { type: 'arrange_queue'; order: string[]; added: { track: Track; entryId: string }[]; addedBy: string }
  /** The owner's player says where it is. Changes something only beyond the seek threshold, or when forced. */
  | { type: 'report_position'; positionMs: number; atServerMs: number; isForced: boolean }
  | { type: 'correct_duration'; durationMs: number }
  /** The owner came in: a room that never played, or an idle one with nobody else in it, goes back to the start. */
  | { type: 'owner_joined'; othersPresent: number }
  /** From the server's agenda; a sequence number that is no longer current makes it a no-op. */
  | { type: 'track_ended'; sequenceNumber: number }
  | { type: 'start_cued'; sequenceNumber: number }

export type RoomCommandType = RoomCommand['type']

export interface CommandContext {
  actor: Actor
  /** The server's clock, ms. */
  nowMs: number
  /** How far ahead a start is scheduled, ms. */
  leadMs: number
}

/** What a command changed, and so what is to be broadcast. */
export type RoomChange = 'playback' | 'track' | 'queue'

export interface RoomOutcome {
  state: RoomState
  /** Empty where the command changed nothing: a repetition, or a report that agrees with the timeline. */
  changes: RoomChange[]
}

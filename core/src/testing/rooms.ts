import { defaultRoomSettings, type Source } from '../protocol/entities.ts'
import {
  type Actor,
  type AddedBy,
  type CommandContext,
  type RoomCommand,
  type RoomState,
  serverActor,
} from '../room/room-state.ts'
import { reduceRoom } from '../room/reduce-room.ts'
import { emptyTimeline } from '../sync/timeline.ts'
import { makeTrack } from './tracks.ts'

/** Rooms for tests: `owner` owns them, `guest` is another member, `stranger` none. */

export const owner: Actor = { kind: 'user', id: 'owner', isMember: true }
export const guest: Actor = { kind: 'user', id: 'guest', isMember: true }
export const stranger: Actor = { kind: 'user', id: 'stranger', isMember: false }
export const server = serverActor

/** A user who adds a track. */
export const by = (id: string): AddedBy => ({ id, username: null })

export const startMs = 1_700_000_000_000

/** A newly created room: the first track that is added starts. */
export const newRoom: RoomState = {
  id: 'room',
  ownerId: 'owner',
  settings: defaultRoomSettings,
  controllerId: null,
  ownerAbsence: null,
  timeline: emptyTimeline,
  track: null,
  queue: [],
  turn: 0,
  trackAddedBy: null,
  isLastTurn: false,
  cue: null,
  recentCommandIds: [],
  lastCommandsAtMs: {},
  hasPlayed: false,
  isAwaitingListeners: false,
  isPausedByHand: false,
  diskWait: null,
  imports: [],
}

/** An empty room that was paused by hand: a track that is added waits for `play`. */
export const emptyRoom: RoomState = { ...newRoom, isPausedByHand: true }

/** The owner's context `afterMs` after the start, with a lead of 120 ms; `rest` overrides any of it. */
export function contextAt(afterMs: number, rest: Partial<CommandContext> = {}): CommandContext {
  return { actor: owner, nowMs: startMs + afterMs, leadMs: 120, ...rest }
}

/** Runs commands one second apart and returns the final state. */
export function runCommands(state: RoomState, commands: readonly RoomCommand[], fromMs = 0): RoomState {
  return commands.reduce((current, command, index) => {
    const actor = command.type === 'track_ended' || command.type === 'start_cued' ? server : owner
    return reduceRoom(current, command, contextAt(fromMs + index * 1_000, { actor })).state
  }, state)
}

export function addCommand(id: string, duration?: number, source?: Source): RoomCommand {
  return {
    type: 'add_track',
    track: makeTrack(id, duration, source),
    entryId: `entry-${id}`,
    addedBy: by('guest'),
  }
}

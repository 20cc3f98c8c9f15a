import { limits } from '../limits.ts'
import { awaitDisk, endDiskWait } from './disk-wait.ts'
import { changeControls } from './hand-over.ts'
import { addTracks } from './import-tracks.ts'
import { authorize } from './permissions.ts'
import {
  correctDuration,
  followClockStep,
  pause,
  play,
  reportPosition,
  resetIdleRoom,
  seek,
  startCued,
  skipToPrevious,
} from './playback.ts'
import {
  addTrack,
  arrangeQueue,
  removeEntriesOf,
  removeEntry,
  clearQueue,
  moveEntry,
  restoreEntries,
} from './queue.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'
import { skipByVote } from './skip-votes.ts'
import { skipToNext, startNext } from './next-track.ts'
import { continueForListener, endTrack, selectTrack, skipUnavailable } from './track-change.ts'

/**
 * Applies a command to a room. Pure, so that the store can retry it when two changes conflict. A command that changes
 * playback raises the sequence number.
 * @throws AppError not_a_member, not_owner, not_your_entry, guests_cannot_queue, no_track, queue_full, too_many_waiting,
 * queue_entry_not_found
 */
export function reduceRoom(state: RoomState, command: RoomCommand, context: CommandContext): RoomOutcome {
  authorize(state, command, context.actor)
  if (isRepeatedCommand(state, command, context.nowMs)) return { state, changes: [] }
  const outcome = markTurn(apply(state, command, context), command)
  return { ...outcome, state: rememberCommand(outcome.state, command, context.nowMs) }
}

function apply(state: RoomState, command: RoomCommand, context: CommandContext): RoomOutcome {
  switch (command.type) {
    case 'play':
      return play(state, context)
    case 'pause':
      return pause(state, context)
    case 'seek':
      return seek(state, command.positionMs, context)
    case 'previous':
      return skipToPrevious(state, command, context)
    case 'next':
      return skipToNext(state, command, context)
    case 'select_track':
      return selectTrack(state, command, context)
    case 'add_track':
      return addTrack(state, command, context)
    case 'add_tracks':
      return addTracks(state, command, context)
    case 'remove_entry':
      return removeEntry(state, command.entryId)
    case 'move_entry':
      return moveEntry(state, command)
    case 'restore_entries':
      return restoreEntries(state, command, context)
    case 'clear_queue':
      return clearQueue(state, context)
    case 'remove_entries_of':
      return removeEntriesOf(state, command.userId)
    case 'arrange_queue':
      return arrangeQueue(state, command, context)
    case 'report_position':
      return reportPosition(state, command, context)
    case 'correct_duration':
      return correctDuration(state, command.durationMs)
    case 'owner_joined':
      return resetIdleRoom(state, command.othersPresent, context)
    case 'track_ended':
      return endTrack(state, command, context)
    case 'listener_arrived':
      return continueForListener(state, context)
    case 'start_cued':
      return startCued(state, command.sequenceNumber, context)
    case 'start_next':
      return startNext(state, command, context)
    case 'skip_unavailable':
      return skipUnavailable(state, command, context)
    case 'skip_by_vote':
      return skipByVote(state, command, context)
    case 'await_disk':
      return awaitDisk(state, command, context)
    case 'disk_returned':
      return endDiskWait(state, command, context)
    case 'change_controls':
      return changeControls(state, command)
    case 'clock_stepped':
      return followClockStep(state, command.byMs)
  }
}

/** Notes which change made a track current. Its duration, corrected, is a change of the track, too, but no new turn. */
function markTurn(outcome: RoomOutcome, { type }: RoomCommand): RoomOutcome {
  const { state, changes } = outcome
  if (!changes.includes('track') || type === 'correct_duration') return outcome
  return { ...outcome, state: { ...state, turn: state.timeline.sequenceNumber } }
}

/**
 * Whether a command was applied before: its id is known, or, without an id, it is marked as a follow-up and a command
 * of its type was applied in the last seconds.
 */
function isRepeatedCommand(state: RoomState, command: RoomCommand, nowMs: number): boolean {
  if ('commandId' in command && command.commandId !== undefined) {
    return state.recentCommandIds.includes(command.commandId)
  }
  if (!('isFollowUp' in command) || command.isFollowUp !== true) return false
  const lastAtMs = state.lastCommandsAtMs[command.type]
  return lastAtMs !== undefined && nowMs - lastAtMs <= limits.followUpWindowMs
}

/** Remembers a command that clients may repeat, even if it changed nothing. */
function rememberCommand(state: RoomState, command: RoomCommand, nowMs: number): RoomState {
  switch (command.type) {
    case 'play':
    case 'pause':
    case 'next':
    case 'previous':
    case 'seek':
    case 'select_track':
      return {
        ...state,
        recentCommandIds: appendId(state.recentCommandIds, command.commandId),
        lastCommandsAtMs: { ...state.lastCommandsAtMs, [command.type]: nowMs },
      }
    case 'add_track':
    case 'remove_entry':
    case 'move_entry':
    case 'restore_entries':
    case 'clear_queue':
      return command.commandId === undefined
        ? state
        : { ...state, recentCommandIds: appendId(state.recentCommandIds, command.commandId) }
    default:
      return state
  }
}

function appendId(ids: string[], id: string | undefined): string[] {
  return id === undefined ? ids : [...ids, id].slice(-limits.recentCommandIds)
}

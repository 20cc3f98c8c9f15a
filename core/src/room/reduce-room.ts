import { correctDuration, reportPosition } from './owner-reports.ts'
import { authorize } from './permissions.ts'
import { resetIdleRoom, pause, play, seek, startCued } from './playback.ts'
import { addTrack, arrangeQueue, removeEntry } from './queue.ts'
import { isRepeatedCommand, rememberCommand } from './repetition.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'
import { endTrack, selectTrack, skipToNext } from './track-change.ts'

/**
 * What a command makes of a room. Pure, so that a store may run it again when two changes collide. A playback command
 * that changes something raises the sequence number; `changes` is empty where nothing is to be broadcast.
 * @throws AppError not_a_member, not_owner, no_track, queue_full, queue_entry_not_found
 */
export function reduceRoom(state: RoomState, command: RoomCommand, context: CommandContext): RoomOutcome {
  authorize(state, command.type, context.actor)
  if (isRepeatedCommand(state, command, context.nowMs)) return { state, changes: [] }
  const outcome = apply(state, command, context)
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
      return seek(state, 0, context)
    case 'next':
      return skipToNext(state, context)
    case 'select_track':
      return selectTrack(state, command, context)
    case 'add_track':
      return addTrack(state, command, context)
    case 'remove_entry':
      return removeEntry(state, command.entryId)
    case 'arrange_queue':
      return arrangeQueue(state, command, context)
    case 'report_position':
      return reportPosition(state, command, context)
    case 'correct_duration':
      return correctDuration(state, command.durationMs)
    case 'owner_joined':
      return resetIdleRoom(state, command.othersPresent, context)
    case 'track_ended':
      return endTrack(state, command.sequenceNumber, context)
    case 'start_cued':
      return startCued(state, command.sequenceNumber, context)
  }
}

import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { ClientPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand, RoomState } from '@earshot/core/room/room-state'
import { positionAt } from '@earshot/core/sync/timeline'
import type { CommandPlan } from '../rooms/room-runtime.ts'

/** Which commands of the room the words of the wire mean. Pure. */

type Direct = ClientPayload<'direct_command'>
type SentState = ClientPayload<'playback_update'>['state']

/** @throws AppError invalid_input for a seek that says no position */
export function toRoomCommand(
  sent: Pick<Direct, 'command' | 'position' | 'isFollowUp' | 'commandId'>,
): RoomCommand {
  const { command, position, isFollowUp, commandId } = sent
  if (command !== 'seek') return { type: command, isFollowUp, commandId }
  if (position === undefined) {
    const issues = [{ path: 'position', message: 'A seek needs a position' }]
    throw new AppError('invalid_input', 'position: A seek needs a position', { issues })
  }
  return { type: 'seek', positionMs: position, isFollowUp, commandId }
}

/** Whether a state is the periodic word of a player on where it is, which may be limited, and not a command. */
export function isUnforcedReport(sent: SentState): boolean {
  return !isCommand(sent) && !isSeek(sent) && sent.force_sync !== true
}

/**
 * A state with a command is that command. A seek, or a forced state away from the timeline, is a seek; any other
 * position is a report, which the rules weigh against the timeline. A reported duration may correct the known one.
 * What is said of another track than the current one is out of date and means nothing, nor does the initial state of
 * an owner who joins: the server knows itself where the room is.
 */
export function planPlaybackUpdate(sent: SentState, userId: string): CommandPlan {
  const command = isCommand(sent) ? toRoomCommand(toDirect(sent)) : null
  return (state, nowMs) => {
    requireOwner(state, userId)
    if (command) return [command]
    if (sent.initialJoin === true || isOfAnotherTrack(state, sent)) return []
    return [...planPosition(state, sent, nowMs), ...planDuration(sent)]
  }
}

/** Makes a track current; where it stands in the queue it is taken out. */
export function planTrackChange(sent: ClientPayload<'track_changed'>, track: Track): CommandPlan {
  return (state) => [
    {
      type: 'select_track',
      track,
      entryId: state.queue.find((entry) => entry.id === track.id)?.entry_id ?? null,
      isPlaying: sent.isPlaying ?? true,
      commandId: sent.commandId,
    },
  ]
}

function isCommand(sent: SentState): boolean {
  return sent.is_command === true && sent.command !== undefined
}

function isSeek(sent: SentState): boolean {
  return sent.is_seek_operation === true || sent.manual_seek === true
}

function toDirect(sent: SentState): Pick<Direct, 'command' | 'position' | 'commandId'> {
  return { command: sent.command ?? 'seek', position: sent.current_position, commandId: sent.command_id }
}

function isOfAnotherTrack(state: RoomState, sent: SentState): boolean {
  return typeof sent.track_id === 'string' && sent.track_id !== state.timeline.trackId
}

function planPosition(state: RoomState, sent: SentState, nowMs: number): RoomCommand[] {
  const positionMs = sent.current_position
  if (isSeek(sent)) return [toRoomCommand({ ...toDirect(sent), command: 'seek' })]
  if (positionMs === undefined) return []
  const atServerMs = readSenderTime(sent.timestamp, nowMs)
  const departureMs = Math.abs(positionMs - positionAt(state.timeline, atServerMs))
  if (sent.force_sync === true && departureMs > limits.seekThresholdMs) {
    const elapsedMs = state.timeline.isPlaying ? nowMs - atServerMs : 0
    return [{ type: 'seek', positionMs: positionMs + elapsedMs, commandId: sent.command_id }]
  }
  return [{ type: 'report_position', positionMs, atServerMs, isForced: sent.force_sync === true }]
}

function planDuration(sent: SentState): RoomCommand[] {
  const durationMs = sent.duration ?? 0
  return durationMs > 0 ? [{ type: 'correct_duration', durationMs }] : []
}

/** A timestamp is taken for the server's time where it lies within the last 10 s (9.13); otherwise it is now. */
function readSenderTime(timestamp: number | undefined, nowMs: number): number {
  if (timestamp === undefined || timestamp > nowMs) return nowMs
  return nowMs - timestamp <= limits.driftElapsedMaxMs ? timestamp : nowMs
}

function requireOwner(state: RoomState, userId: string): void {
  if (state.ownerId !== userId) throw new AppError('not_owner')
}

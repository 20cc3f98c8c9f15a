import { limits } from '../limits.ts'
import type { Track } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import type { ClientPayload } from '../protocol/socket-events.ts'
import { positionAt } from '../sync/timeline.ts'
import { authorize } from './permissions.ts'
import { type CommandPlan, type RoomCommand, type RoomState, asMember } from './room-state.ts'

/** Translates the playback events of clients into commands for the room as it is. */

type Direct = ClientPayload<'direct_command'>
type SentState = ClientPayload<'playback_update'>['state']

/** Converts a direct command. @throws AppError invalid_input for a seek without a position */
export function toRoomCommand(
  sent: Pick<Direct, 'command' | 'position' | 'isFollowUp' | 'commandId' | 'trackId'>,
): RoomCommand {
  const { command, position, isFollowUp, commandId, trackId } = sent
  if (command === 'next') return { type: command, trackId, isFollowUp, commandId }
  if (command !== 'seek') return { type: command, isFollowUp, commandId }
  if (position === undefined) {
    const issues = [{ path: 'position', message: 'A seek needs a position' }]
    throw new AppError('invalid_input', 'position: A seek needs a position', { issues })
  }
  return { type: 'seek', positionMs: position, isFollowUp, commandId }
}

/** Returns whether a state reports a position, which is rate limited: it is neither a command, nor a seek, nor forced. */
export function hasUnforcedPosition(sent: SentState): boolean {
  return sent.current_position !== undefined && !isCommand(sent) && !isSeek(sent) && sent.force_sync !== true
}

/** Returns a state without its position; null where nothing is left that could change the room. */
export function withoutPosition(sent: SentState): SentState | null {
  // Without the position, a sentinel would pass for a measured duration.
  const rest = { ...sent, current_position: undefined, duration: planDuration(sent)[0]?.durationMs }
  const asksMore = rest.duration !== undefined || (sent.is_playing !== undefined && !isReport(sent))
  return asksMore ? rest : null
}

/**
 * Plans a playback state: a state with a command is that command. A seek, or a forced state away from the timeline, is
 * a seek; any other position is a report, compared with the timeline. A state that is no report plays or pauses.
 * A command that nothing marks as one is checked as other states are.
 * A reported duration may correct the stored one. Ignored are states of a track that is not current, repeated ones, the
 * initial state of an owner who joins, and positions of an earlier timeline.
 */
export function planPlaybackUpdate(sent: SentState, userId: string): CommandPlan {
  const command = isCommand(sent) ? toRoomCommand(toDirect(sent)) : null
  return (state, nowMs) => {
    requireControls(state, userId)
    if (command && sent.is_command === true) return [command]
    if (sent.initialJoin === true || isOfAnotherTrack(state, sent) || isRepeated(state, sent)) return []
    if (command) return isStale(state, sent, nowMs) ? [] : [command]
    const position = isOlderPosition(state, sent, nowMs) ? [] : planPosition(state, sent, nowMs)
    const hasSeek = position.some(({ type }) => type === 'seek')
    const commandId = hasSeek ? undefined : sent.command_id
    const playing = isStale(state, sent, nowMs) ? [] : planPlaying(state, sent, nowMs, commandId)
    return [...position, ...playing, ...planDuration(sent)]
  }
}

/**
 * Plans a change of the current track; a queued track is removed from the queue. A member who may not add tracks
 * (`mayAdd`) may still choose the current or a queued one.
 */
export function planTrackChange(
  { isPlaying = true, commandId }: ClientPayload<'track_changed'>,
  { track, mayAdd }: { track: Track; mayAdd: boolean },
): CommandPlan {
  return (state) => {
    const queued = state.queue.find((entry) => entry.id === track.id)
    if (!mayAdd && !queued && state.track?.id !== track.id) throw new AppError('library_closed')
    return [{ type: 'select_track', track, entryId: queued?.entry_id ?? null, isPlaying, commandId }]
  }
}

function isCommand(sent: SentState): boolean {
  if (sent.command === undefined) return false
  const isComplete = sent.command !== 'seek' || sent.current_position !== undefined
  return sent.is_command ?? (isComplete && !isReport(sent))
}

/** Says where the sender is, and not what the room is to do. */
function isReport(sent: SentState): boolean {
  return sent.is_position_update === true
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

/** A repeated state would otherwise undo what came in between: its commands are not the same by now. */
function isRepeated({ recentCommandIds }: RoomState, { command_id: id }: SentState): boolean {
  return id !== undefined && recentCommandIds.includes(id)
}

/** Whether a state is of an earlier timeline, by its number or, where nothing forces it, by the time it was sent. */
function isStale({ timeline }: RoomState, sent: SentState, nowMs: number): boolean {
  if ((sent.sequence_number ?? Infinity) < timeline.sequenceNumber) return true
  // A scheduled start lies ahead: any state is of before it.
  if (sent.force_sync === true || timeline.atServerMs > nowMs) return false
  return readSenderTime(sent.timestamp, nowMs) < timeline.atServerMs
}

/**
 * Whether a position is of an earlier timeline. Some clients count numbers of their own, so a lower one is not enough: it
 * was also stamped before the change, or is a report of a page that may not have heard of the change yet. (decision 171)
 */
function isOlderPosition({ timeline }: RoomState, sent: SentState, nowMs: number): boolean {
  if (isSeek(sent) || (sent.sequence_number ?? Infinity) >= timeline.sequenceNumber) return false
  if (readSenderTime(sent.timestamp, nowMs) < timeline.atServerMs) return true
  return isReport(sent) && nowMs - timeline.atServerMs <= limits.syncRequestPlayingMs
}

/** Of a state that is no report. */
function planPlaying(state: RoomState, sent: SentState, nowMs: number, commandId?: string): RoomCommand[] {
  const { timeline, track, cue } = state
  const isAsked = sent.is_playing !== undefined && sent.is_playing !== timeline.isPlaying
  if (!isAsked || isReport(sent) || !track || cue) return []
  // A player that reaches the end of its track stops, which is no wish to pause the next one.
  const leftMs = (timeline.durationMs ?? Infinity) - positionAt(timeline, nowMs)
  if (timeline.isPlaying && sent.force_sync !== true && leftMs <= limits.seekThresholdMs) return []
  return [{ type: timeline.isPlaying ? 'pause' : 'play', commandId }]
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

function planDuration(sent: SentState): Extract<RoomCommand, { type: 'correct_duration' }>[] {
  const { duration: durationMs = 0, current_position } = sent
  // A whole playback state repeats the sender's sentinel; a report of the duration alone is a measurement.
  const isSentinel = durationMs === limits.unknownDurationMs && current_position !== undefined
  return durationMs > 0 && !isSentinel ? [{ type: 'correct_duration', durationMs }] : []
}

/** Returns the timestamp if it lies within the last 10 s (9.13), otherwise the current time. */
function readSenderTime(timestamp: number | undefined, nowMs: number): number {
  if (timestamp === undefined || timestamp > nowMs) return nowMs
  return nowMs - timestamp <= limits.driftElapsedMaxMs ? timestamp : nowMs
}

/** Checked even if there is nothing to apply, so that the sender learns whether its states count. */
export function requireControls(state: RoomState, userId: string): void {
  authorize(state, { type: 'report_position' }, asMember(userId, false))
}

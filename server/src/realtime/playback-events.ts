import { limits } from '@earshot/core/limits'
import type { PlaybackState, Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { ClientPayload } from '@earshot/core/protocol/socket-events'
import { authorize } from '@earshot/core/room/permissions'
import type { Actor, RoomCommand, RoomState } from '@earshot/core/room/room-state'
import { positionAt, toPlaybackState } from '@earshot/core/sync/timeline'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { LibraryRule } from '../accounts/library-access.ts'
import type { Db } from '../db/database.ts'
import { requireRoom } from '../db/rooms.ts'
import { findTrack } from '../db/tracks.ts'
import { takePoint } from '../limits/rate-limits.ts'
import { withPlayedBefore } from '../rooms/queue-memory.ts'
import type { TrackReadiness } from '../rooms/schedule/track-readiness.ts'
import type { CommandPlan, RoomRuntime } from '../rooms/room-runtime.ts'
import { toStoredRoom } from '../rooms/store/stored-room.ts'
import { type EventCall, bindEvent } from './client-event.ts'

export interface PlaybackEventsParts {
  db: Db
  libraryRule: LibraryRule
  runtime: RoomRuntime
  readiness: TrackReadiness
  /** Limits unforced position reports, by room and member. */
  reports: RateLimiterAbstract
}

type Direct = ClientPayload<'direct_command'>
type SentState = ClientPayload<'playback_update'>['state']
type PlaybackAck = { applied: boolean; state: PlaybackState }

export function playbackEvents(parts: PlaybackEventsParts) {
  const run = async (
    roomId: string,
    command: RoomCommand | CommandPlan,
    { user, socket }: EventCall,
  ): Promise<PlaybackAck> => {
    const actor: Actor = { kind: 'user', id: user.id, isMember: true }
    const { state, changes } = await parts.runtime.runCommand(roomId, command, actor, socket.id)
    return { applied: changes.length > 0, state: toPlaybackState(state.timeline, user.id) }
  }

  return {
    direct_command: bindEvent('direct_command', {
      rate: 'command',
      handle: async (payload, call) => {
        await call.requireMember(payload.roomId)
        const command = toRoomCommand(payload)
        const plan =
          payload.command === 'previous' ? await withPlayedBefore(parts.db, payload.roomId, command) : command
        return await run(payload.roomId, plan, call)
      },
    }),
    playback_update: bindEvent('playback_update', {
      rate: 'command',
      handle: async ({ roomId, state: sent }, call) => {
        await call.requireMember(roomId)
        const asSent = planPlaybackUpdate(sent, call.user.id)
        const plan = sent.command === 'previous' ? await withPlayedBefore(parts.db, roomId, asSent) : asSent
        const isTooSoon = isUnforcedReport(sent) && !(await isAdmitted(parts.reports, roomId, call))
        return isTooSoon ? await refuseReport(parts.db, roomId, call) : await run(roomId, plan, call)
      },
    }),
    track_changed: bindEvent('track_changed', {
      rate: 'command',
      handle: async (payload, call) => {
        await call.requireMember(payload.roomId)
        const track = await findTrack(parts.db, payload.trackId)
        if (!track) throw new AppError('track_not_found')
        const [addable] = await parts.libraryRule.onlyAllowed(call.user.id, [track])
        const plan = planTrackChange(payload, { track, mayAdd: addable !== undefined })
        return await run(payload.roomId, plan, call)
      },
    }),
    track_ready: bindEvent('track_ready', {
      rate: 'command',
      handle: async ({ roomId, sequenceNumber }, call) => {
        await call.requireMember(roomId)
        await parts.readiness.reportReady(roomId, sequenceNumber, call.user.id)
        return {}
      },
    }),
  }
}

async function isAdmitted(limiter: RateLimiterAbstract, roomId: string, call: EventCall): Promise<boolean> {
  try {
    await takePoint(limiter, `${roomId}:${call.user.id}`)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

/** Answers a report that exceeds its rate with the current state. The queue, which may be long, is not read for it. */
async function refuseReport(db: Db, roomId: string, { user }: EventCall): Promise<PlaybackAck> {
  const { row, track } = await requireRoom(db, roomId)
  const { state } = toStoredRoom(row, track, [])
  requireControls(state, user.id)
  return { applied: false, state: toPlaybackState(state.timeline, user.id) }
}

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

/** Returns whether a state is a periodic position report, which is rate limited, and not a command. */
export function isUnforcedReport(sent: SentState): boolean {
  return !isCommand(sent) && !isSeek(sent) && sent.force_sync !== true
}

/**
 * Plans a playback state: a state with a command is that command. A seek, or a forced state away from the timeline, is
 * a seek; any other position is a report, compared with the timeline. A forced state that is no report plays or pauses.
 * A reported duration may correct the stored one. Ignored are states of a track that is not current, repeated ones, and
 * the initial state of an owner who joins.
 */
export function planPlaybackUpdate(sent: SentState, userId: string): CommandPlan {
  const command = isCommand(sent) ? toRoomCommand(toDirect(sent)) : null
  return (state, nowMs) => {
    requireControls(state, userId)
    if (command) return [command]
    if (sent.initialJoin === true || isOfAnotherTrack(state, sent) || isRepeated(state, sent)) return []
    const position = planPosition(state, sent, nowMs)
    const hasSeek = position.some(({ type }) => type === 'seek')
    const commandId = hasSeek ? undefined : sent.command_id
    return [...position, ...planPlaying(state, sent, commandId), ...planDuration(sent)]
  }
}

/**
 * Plans a change of the current track; a queued track is removed from the queue. What the room has already may be chosen
 * also by who may not add it.
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

/** A repeated state would otherwise undo what came in between: its commands are not the same by now. */
function isRepeated({ recentCommandIds }: RoomState, { command_id: id }: SentState): boolean {
  return id !== undefined && recentCommandIds.includes(id)
}

/** Of a forced state that is no report, and of the current timeline. */
function planPlaying(state: RoomState, sent: SentState, commandId?: string): RoomCommand[] {
  const { timeline, track, cue } = state
  const isForced = sent.force_sync === true && sent.is_position_update !== true
  const isStale = (sent.sequence_number ?? Infinity) < timeline.sequenceNumber
  if (!isForced || isStale || !track || cue || (sent.is_playing ?? timeline.isPlaying) === timeline.isPlaying)
    return []
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

function planDuration(sent: SentState): RoomCommand[] {
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

/** Also where there is nothing to apply: who sends a state learns whether it counts. */
function requireControls(state: RoomState, userId: string): void {
  authorize(state, { type: 'report_position' }, { kind: 'user', id: userId, isMember: true })
}

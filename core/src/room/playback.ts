import { limits } from '../limits.ts'
import { AppError } from '../protocol/errors.ts'
import { isDurationCorrection, toDurationFields } from '../sync/duration.ts'
import { positionAt } from '../sync/timeline.ts'
import { diskLookAt } from './due.ts'
import {
  changeTimeline,
  isPlayingOrCued,
  moveLeadMs,
  type CommandContext,
  type OwnerAbsence,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
  renumberQueue,
  type RoomChange,
} from './room-state.ts'
import { cueTrack, dropRepeat, promoteEntry } from './track-change.ts'
import { appendTracks } from './queue.ts'

/** Play, pause, seek, previous, and the reports of the owner's player. */

/** Starts playback at `now + lead`, the same instant for every listener (4.11a). */
export function startAt(
  state: RoomState,
  positionMs: number,
  { nowMs, leadMs }: CommandContext,
): RoomOutcome {
  const timeline = { isPlaying: true, positionMs, atServerMs: nowMs + leadMs, isCueing: false }
  return changeTimeline(
    { ...state, cue: null, hasPlayed: true, isAwaitingListeners: false, isPausedByHand: false },
    timeline,
    limits.sequenceStepPlayPause,
  )
}

/**
 * Starts the current track, or cues the first queue entry. While listeners are loading the current track, cues it where
 * it is (17.457).
 * @throws AppError no_track: no current track and an empty queue
 */
export function play(state: RoomState, context: CommandContext): RoomOutcome {
  const { timeline } = state
  if (isPlayingOrCued(state)) return { state, changes: [] }
  if (!state.track) {
    const [first] = state.queue
    if (!first) throw new AppError('no_track')
    return promoteEntry(state, first.entry_id, { startWhenReady: true }, context)
  }
  const isOver = timeline.durationMs !== null && timeline.positionMs >= timeline.durationMs
  const positionMs = isOver ? 0 : timeline.positionMs
  return context.isAudienceLoading ? cueAt(state, positionMs, context) : startAt(state, positionMs, context)
}

/** Stays paused since when it is: after a long pause outputs take longer to start (12.20e). */
function cueAt(state: RoomState, positionMs: number, { nowMs }: CommandContext): RoomOutcome {
  const timeline = { isPlaying: false, positionMs, isCueing: true }
  const cue = { deadlineAtMs: nowMs + limits.cueTimeoutMs }
  return changeTimeline(
    { ...state, cue, isAwaitingListeners: false, isPausedByHand: false },
    timeline,
    limits.sequenceStepPlayPause,
  )
}

/**
 * Pauses at once and stores the position where every listener stops (4.12). Cancels a scheduled start. A room that is
 * paused without a track does not start with the next one.
 */
export function pause(before: RoomState, { nowMs }: CommandContext): RoomOutcome {
  const state = before.isPausedByHand ? before : { ...before, isPausedByHand: true }
  if (!isPlayingOrCued(state)) return { state, changes: [] }
  const positionMs = positionAt(state.timeline, nowMs)
  const timeline = { isPlaying: false, positionMs, atServerMs: nowMs, isCueing: false }
  return changeTimeline({ ...state, cue: null }, timeline, limits.sequenceStepPlayPause)
}

/**
 * Moves the room to a position within the track (4.15); a playing room continues from there a lead later (17.469). A
 * track cued at that position is not cued again.
 * @throws AppError no_track
 */
export function seek(state: RoomState, positionMs: number, context: CommandContext): RoomOutcome {
  if (!state.track) throw new AppError('no_track')
  const { durationMs, isPlaying, source } = state.timeline
  const target = Math.max(0, Math.min(positionMs, durationMs ?? Infinity))
  if (state.cue && state.timeline.positionMs === target) return { state, changes: [] }
  const leadMs = source === 'library' ? moveLeadMs(context) : context.leadMs
  const atServerMs = context.nowMs + (isPlaying ? leadMs : 0)
  return changeTimeline(state, { positionMs: target, atServerMs }, limits.sequenceStepOther)
}

/**
 * Goes back to the track played before, within the first 3 s of the current one, which then queues first; otherwise
 * restarts the current one (4.14, decision 054).
 * @throws AppError no_track: neither a current track nor one before it
 */
export function skipToPrevious(
  state: RoomState,
  { back }: Extract<RoomCommand, { type: 'previous' }>,
  context: CommandContext,
): RoomOutcome {
  const { track, queue, timeline, trackAddedBy } = state
  const isEarly = !track || positionAt(timeline, context.nowMs) <= limits.previousRestartMs
  const isFull = track !== null && queue.length >= limits.queueMaxLength
  const isRepeated = queue.some((entry) => entry.entry_id === back?.entryId)
  if (!back || !isEarly || isFull || isRepeated) return seek(state, 0, context)
  const returned = track ? appendTracks([], [{ track, entryId: back.entryId }], trackAddedBy) : []
  const left = dropRepeat(state, back.track)
  const isQueueChanged = track !== null || left !== queue
  const changes: RoomChange[] = isQueueChanged ? ['track', 'queue', 'playback'] : ['track', 'playback']
  const placed = track ? renumberQueue([...returned, ...left]) : left
  const cue = { startWhenReady: isPlayingOrCued(state), addedBy: back.addedBy }
  return { state: cueTrack({ ...state, queue: placed }, back.track, cue, context.nowMs), changes }
}

/** Starts the cued track when its listeners are ready or the deadline has passed (4.13b). Ignores a stale number. */
export function startCued(state: RoomState, sequenceNumber: number, context: CommandContext): RoomOutcome {
  const isCurrent = state.timeline.sequenceNumber === sequenceNumber
  if (!state.cue || !isCurrent) return { state, changes: [] }
  return startAt(state, state.timeline.positionMs, context)
}

/**
 * Moves a room by a step of the server's clock: what plays or is cued goes on where it is, its owner is away as long,
 * and a disk is looked for as soon.
 */
export function followClockStep(before: RoomState, byMs: number): RoomOutcome {
  const { ownerAbsence, diskWait } = before
  const moved = ownerAbsence ? { ...before, ownerAbsence: moveAbsence(ownerAbsence, byMs) } : before
  const movedWait = diskWait && { ...diskWait, lookAtMs: diskWait.lookAtMs + byMs }
  const state = movedWait ? { ...moved, diskWait: movedWait } : moved
  if (!isPlayingOrCued(state)) return { state, changes: [] }
  const cue = state.cue && { ...state.cue, deadlineAtMs: state.cue.deadlineAtMs + byMs }
  const atServerMs = state.timeline.atServerMs + byMs
  return changeTimeline({ ...state, cue }, { atServerMs }, limits.sequenceStepOther)
}

const moveAbsence = ({ sinceMs, handOverAtMs }: OwnerAbsence, byMs: number): OwnerAbsence => ({
  sinceMs: sinceMs + byMs,
  handOverAtMs: handOverAtMs === null ? null : handOverAtMs + byMs,
})

/**
 * Returns by how much a room's stored start lies too far in the future, ms; 0 for none. No start is scheduled further
 * ahead than the longest lead: a later one was stamped by a clock that was wrong.
 */
export function excessLeadMs({ timeline, cue }: RoomState, nowMs: number): number {
  const startMs = timeline.isPlaying ? timeline.atServerMs - nowMs - limits.leadMaxMs : 0
  const cueMs = cue ? cue.deadlineAtMs - nowMs - limits.cueTimeoutMs : 0
  return Math.max(0, startMs, cueMs)
}

/** Resets a room to 0:00 when its owner joins: one that never played, or an idle one without other members (4.7c). */
export function resetIdleRoom(
  state: RoomState,
  othersPresent: number,
  { nowMs }: CommandContext,
): RoomOutcome {
  // A room that waits for a disk goes on where it is.
  const isIdle = !isPlayingOrCued(state) && diskLookAt(state) === null
  const mayReset = isIdle && (!state.hasPlayed || othersPresent === 0)
  if (!mayReset) return { state, changes: [] }
  return changeTimeline(state, { positionMs: 0, atServerMs: nowMs }, limits.sequenceStepOther)
}

/**
 * Applies the owner's reported position: ignored if it agrees with the timeline, otherwise the room moves there.
 * Reports from before the latest change, or while a track is cued, are ignored.
 */
export function reportPosition(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'report_position' }>,
  { nowMs }: CommandContext,
): RoomOutcome {
  const { timeline } = state
  const atServerMs = Math.min(command.atServerMs, nowMs)
  if (!state.track || state.cue || atServerMs < timeline.atServerMs) return { state, changes: [] }
  const positionMs = Math.min(timeline.durationMs ?? Infinity, Math.max(0, command.positionMs))
  const agreementMs = command.isForced ? limits.forcedReportAgreementMs : limits.seekThresholdMs
  const isAgreed = Math.abs(positionMs - positionAt(timeline, atServerMs)) <= agreementMs
  if (isAgreed) return { state, changes: [] }
  return changeTimeline(state, { positionMs, atServerMs }, limits.sequenceStepOther)
}

/** Stores the duration measured by the owner's player if it differs enough from the room's, which ends the track. */
export function correctDuration(state: RoomState, durationMs: number): RoomOutcome {
  const { track, timeline } = state
  if (!track || !isDurationCorrection(timeline.durationMs, durationMs)) return { state, changes: [] }
  const corrected = { ...state, track: { ...track, ...toDurationFields(durationMs) } }
  const positionMs = Math.min(timeline.positionMs, durationMs)
  const outcome = changeTimeline(corrected, { durationMs, positionMs }, limits.sequenceStepOther)
  return { state: outcome.state, changes: ['playback', 'track'] }
}

import { limits } from '../limits.ts'
import { AppError } from '../protocol/errors.ts'
import { positionAt, type Timeline } from '../sync/timeline.ts'
import { promoteEntry } from './queue.ts'
import type { CommandContext, RoomOutcome, RoomState } from './room-state.ts'
import { isPlayingOrCued } from './track-change.ts'

/** Play, pause and seek: each takes the room and the instant, and says what the room is afterwards. */

/** The room with a timeline that follows the present one; what is not given stays as it is. */
export function changeTimeline(state: RoomState, change: Partial<Timeline>, step: number): RoomOutcome {
  const sequenceNumber = state.timeline.sequenceNumber + step
  return {
    state: { ...state, timeline: { ...state.timeline, ...change, sequenceNumber } },
    changes: ['playback'],
  }
}

/** Playing from a position at `now + lead`: one instant for everybody (4.11a). */
function startAt(state: RoomState, positionMs: number, { nowMs, leadMs }: CommandContext): RoomOutcome {
  const timeline = { isPlaying: true, positionMs, atServerMs: nowMs + leadMs, isCueing: false }
  return changeTimeline({ ...state, cue: null, hasPlayed: true }, timeline, limits.sequenceStepPlayPause)
}

/** @throws AppError no_track: there is neither a current track nor one to promote */
export function play(state: RoomState, context: CommandContext): RoomOutcome {
  const { timeline } = state
  if (isPlayingOrCued(state)) return { state, changes: [] }
  if (!state.track) {
    const [first] = state.queue
    if (!first) throw new AppError('no_track')
    return promoteEntry(state, first.entry_id, { startWhenReady: true }, context)
  }
  const isOver = timeline.durationMs > 0 && timeline.positionMs >= timeline.durationMs
  return startAt(state, isOver ? 0 : timeline.positionMs, context)
}

/** Acts at once, at the exact position where everybody stops (4.12). A track that was to start soon does not. */
export function pause(state: RoomState, { nowMs }: CommandContext): RoomOutcome {
  if (!isPlayingOrCued(state)) return { state, changes: [] }
  const positionMs = positionAt(state.timeline, nowMs)
  const timeline = { isPlaying: false, positionMs, atServerMs: nowMs, isCueing: false }
  return changeTimeline({ ...state, cue: null }, timeline, limits.sequenceStepPlayPause)
}

/**
 * Moves the room to a position within the track (4.15); a room that plays goes on from there, a lead from now. A cued
 * track that stands there already stays as it is: its listeners are not asked again.
 * @throws AppError no_track
 */
export function seek(state: RoomState, positionMs: number, context: CommandContext): RoomOutcome {
  if (!state.track) throw new AppError('no_track')
  const { durationMs, isPlaying } = state.timeline
  const target = Math.max(0, durationMs > 0 ? Math.min(positionMs, durationMs) : positionMs)
  if (state.cue && state.timeline.positionMs === target) return { state, changes: [] }
  const atServerMs = context.nowMs + (isPlaying ? context.leadMs : 0)
  return changeTimeline(state, { positionMs: target, atServerMs }, limits.sequenceStepOther)
}

/** Every listener is ready, or the wait is over (4.13b). Another sequence number means that the room moved on. */
export function startCued(state: RoomState, sequenceNumber: number, context: CommandContext): RoomOutcome {
  const isCurrent = state.timeline.sequenceNumber === sequenceNumber
  if (!state.cue?.startWhenReady || !isCurrent) return { state, changes: [] }
  return startAt(state, state.timeline.positionMs, context)
}

/** The owner came in: only a room that never played, or that is idle and otherwise empty, begins anew (4.7c). */
export function resetIdleRoom(
  state: RoomState,
  othersPresent: number,
  { nowMs }: CommandContext,
): RoomOutcome {
  const mayBeginAnew = !isPlayingOrCued(state) && (!state.hasPlayed || othersPresent === 0)
  if (!mayBeginAnew) return { state, changes: [] }
  return changeTimeline(state, { positionMs: 0, atServerMs: nowMs }, limits.sequenceStepOther)
}

import { limits } from '../limits.ts'
import { AppError } from '../protocol/errors.ts'
import { emptyTimeline } from '../sync/timeline.ts'
import { cueTrack } from './cue.ts'
import { promoteEntry } from './queue.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'

/** Whether the room plays, or is about to once its track is loaded. */
export function isPlayingOrCued(state: RoomState): boolean {
  return state.timeline.isPlaying || (state.cue?.startWhenReady ?? false)
}

/**
 * The owner goes on to the first queue entry; where none follows the room has no current track any more.
 * @throws AppError no_track: there is neither a current nor a next one
 */
export function skipToNext(state: RoomState, context: CommandContext): RoomOutcome {
  if (!state.track && state.queue.length === 0) throw new AppError('no_track')
  return advance(state, isPlayingOrCued(state), context)
}

/** The track ended by itself: the next one starts. A sequence number that is not the current one does nothing. */
export function endTrack(state: RoomState, sequenceNumber: number, context: CommandContext): RoomOutcome {
  const { timeline } = state
  if (!timeline.isPlaying || timeline.sequenceNumber !== sequenceNumber) return { state, changes: [] }
  return advance(state, true, context)
}

/**
 * Makes a given track current. The announcement of a track that is current already and waits to start does nothing.
 */
export function selectTrack(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'select_track' }>,
  context: CommandContext,
): RoomOutcome {
  const { track, entryId, isPlaying } = command
  if (state.cue && state.track?.id === track.id) return { state, changes: [] }
  const isQueued = state.queue.some((entry) => entry.entry_id === entryId)
  if (entryId !== null && isQueued)
    return promoteEntry(state, entryId, { startWhenReady: isPlaying }, context)
  const cued = cueTrack(state, track, { startWhenReady: isPlaying }, context.nowMs)
  return { state: cued, changes: ['playback', 'track'] }
}

function advance(state: RoomState, startWhenReady: boolean, context: CommandContext): RoomOutcome {
  const [first] = state.queue
  if (first) return promoteEntry(state, first.entry_id, { startWhenReady }, context)
  const sequenceNumber = state.timeline.sequenceNumber + limits.sequenceStepOther
  const timeline = { ...emptyTimeline, atServerMs: context.nowMs, sequenceNumber }
  return { state: { ...state, track: null, cue: null, timeline }, changes: ['playback', 'track'] }
}

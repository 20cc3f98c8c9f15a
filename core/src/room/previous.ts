import { limits } from '../limits.ts'
import { positionAt } from '../sync/timeline.ts'
import { seek } from './playback.ts'
import { appendTracks } from './queue.ts'
import {
  isPlayingOrCued,
  renumberQueue,
  type CommandContext,
  type RoomChange,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
} from './room-state.ts'
import { cueTrack } from './track-change.ts'

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
  const { track, queue, timeline, trackAddedBy = null } = state
  const isEarly = !track || positionAt(timeline, context.nowMs) <= limits.previousRestartMs
  const isFull = track !== null && queue.length >= limits.queueMaxLength
  const isRepeated = queue.some((entry) => entry.entry_id === back?.entryId)
  if (!back || !isEarly || isFull || isRepeated) return seek(state, 0, context)
  const returned = track ? appendTracks([], [{ track, entryId: back.entryId }], trackAddedBy) : []
  const changes: RoomChange[] = track ? ['track', 'queue', 'playback'] : ['track', 'playback']
  const placed = track ? renumberQueue([...returned, ...queue]) : queue
  const cue = { startWhenReady: isPlayingOrCued(state), addedBy: back.addedBy }
  return { state: cueTrack({ ...state, queue: placed }, back.track, cue, context.nowMs), changes }
}

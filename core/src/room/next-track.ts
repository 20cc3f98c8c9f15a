import { limits } from '../limits.ts'
import { AppError } from '../protocol/errors.ts'
import { endsAt } from '../sync/timeline.ts'
import { startAt } from './playback.ts'
import {
  isPlayingOrCued,
  moveLeadMs,
  type CommandContext,
  type LoadedNext,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
} from './room-state.ts'
import { advance, promoteEntry, repeatCurrent } from './track-change.ts'

/** Changes from the current track to the first of the queue: by command or votes, and ahead of its end. */

/** Whether the next track may start without a cue: only audio from the library is scheduled to the sample. */
export function mayFollow({ track, queue }: Pick<RoomState, 'track' | 'queue'>): boolean {
  return track?.source === 'library' && queue[0]?.source === 'library'
}

/**
 * Skips to the first queue entry; with an empty queue the room is left without a current track. One that is `loaded` by the
 * listeners starts soon (17.438), another one is cued. Where the track that was meant has ended, or somebody else skipped it,
 * nothing changes.
 * @throws AppError no_track: no current track and an empty queue
 */
export function skipToNext(
  state: RoomState,
  { trackId, loaded = null }: Pick<Extract<RoomCommand, { type: 'next' }>, 'trackId' | 'loaded'>,
  context: CommandContext,
): RoomOutcome {
  if (trackId !== undefined && trackId !== state.track?.id) return { state, changes: [] }
  if (!state.track && state.queue.length === 0) throw new AppError('no_track')
  if (loaded && isLoadedNext(state, loaded)) {
    return startLoaded(state, loaded, { ...context, leadMs: moveLeadMs(context) })
  }
  return advance(repeatCurrent(state), isPlayingOrCued(state), context)
}

/**
 * Starts the first queue entry at the end of the current track, which still plays (17.462); a lead later where that is too
 * soon. Ignores a stale number, and an entry that is not first any more.
 */
export function startNext(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'start_next' }>,
  context: CommandContext,
): RoomOutcome {
  const untilEndMs = Math.round((endsAt(state.timeline) ?? Infinity) - context.nowMs)
  if (untilEndMs > limits.leadMaxMs || !isLoadedNext(state, command)) return { state, changes: [] }
  return startLoaded(state, command, { ...context, leadMs: Math.max(context.leadMs, untilEndMs) })
}

/** Whether an entry is still the first one, and the track plays during which the listeners loaded it. */
function isLoadedNext(state: RoomState, { sequenceNumber, entryId }: LoadedNext): boolean {
  const { timeline, queue } = state
  const isCurrent = timeline.isPlaying && timeline.sequenceNumber === sequenceNumber
  return isCurrent && queue[0]?.entry_id === entryId && mayFollow(state)
}

function startLoaded(state: RoomState, { entryId }: LoadedNext, context: CommandContext): RoomOutcome {
  const next = promoteEntry(repeatCurrent(state), entryId, { startWhenReady: false }, context).state
  return { ...startAt(next, 0, context), changes: ['track', 'queue', 'playback'] }
}

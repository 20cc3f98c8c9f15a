import { limits } from '../limits.ts'
import type { QueueEntry, Track } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import { knownDurationMs } from '../sync/duration.ts'
import { emptyTimeline } from '../sync/timeline.ts'
import { diskLookAt } from './due.ts'
import {
  adderOf,
  isPlayingOrCued,
  renumberQueue,
  type AddedBy,
  type CommandContext,
  type RoomChange,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
} from './room-state.ts'

/** Changes of the current track: cued for the listeners to load, then started, by command or automatically. */

/** Whether enough members have loaded the cued track to start it: all, or 90 % in rooms over 20 (4.13b). */
export function isCueComplete(readyCount: number, memberCount: number): boolean {
  const needed = memberCount > limits.cueQuorumAbove ? Math.ceil(memberCount * limits.cueQuorum) : memberCount
  return readyCount >= needed
}

/** Makes a track current at position 0, paused. With `startWhenReady` it starts once the listeners have loaded it. */
export function cueTrack(
  state: RoomState,
  track: Track,
  { startWhenReady, addedBy = null }: { startWhenReady: boolean; addedBy?: AddedBy | null },
  nowMs: number,
): RoomState {
  return {
    ...state,
    track,
    trackAddedBy: addedBy,
    isLastTurn: false,
    timeline: {
      trackId: track.id,
      source: track.source,
      isPlaying: false,
      positionMs: 0,
      atServerMs: nowMs,
      durationMs: knownDurationMs(track),
      sequenceNumber: state.timeline.sequenceNumber + limits.sequenceStepOther,
      isCueing: startWhenReady,
    },
    cue: startWhenReady ? { deadlineAtMs: nowMs + limits.cueTimeoutMs } : null,
    isAwaitingListeners: false,
    ...(startWhenReady ? { isPausedByHand: false } : {}),
  }
}

/** Moves a queue entry's track to the current track (4.13a). @throws AppError queue_entry_not_found */
export function promoteEntry(
  state: RoomState,
  entryId: string,
  { startWhenReady }: { startWhenReady: boolean },
  { nowMs }: CommandContext,
): RoomOutcome {
  const entry = state.queue.find((candidate) => candidate.entry_id === entryId)
  if (!entry) throw new AppError('queue_entry_not_found')
  const queue = renumberQueue(state.queue.filter((candidate) => candidate !== entry))
  return {
    state: cueTrack({ ...state, queue }, toTrack(entry), { startWhenReady, addedBy: adderOf(entry) }, nowMs),
    changes: ['track', 'queue', 'playback'],
  }
}

/** Makes an entry of a track; its position is that in the queue it comes into. */
export function toEntry(track: Track, entryId: string, addedBy: AddedBy | null): QueueEntry {
  return {
    ...track,
    entry_id: entryId,
    position: 0,
    added_by: addedBy?.id ?? null,
    ...(addedBy?.username ? { added_by_name: addedBy.username } : {}),
  }
}

/** Removes the queue's fields from an entry. */
export function toTrack(entry: QueueEntry): Track {
  const { entry_id: _id, position: _position, added_by: _by, added_by_name: _name, ...track } = entry
  return track
}

/**
 * Makes the next track current when the current one has ended, and starts it; in an empty room it waits for a listener.
 * Ignores a stale sequence number.
 */
export function endTrack(
  state: RoomState,
  { sequenceNumber, isRoomEmpty = false }: Extract<RoomCommand, { type: 'track_ended' }>,
  context: CommandContext,
): RoomOutcome {
  const { timeline } = state
  if (!timeline.isPlaying || timeline.sequenceNumber !== sequenceNumber) return { state, changes: [] }
  const outcome = advance(repeatCurrent(state), !isRoomEmpty, context)
  const isAwaitingListeners = isRoomEmpty && outcome.state.track !== null
  return { ...outcome, state: { ...outcome.state, isAwaitingListeners } }
}

/** Cues the current track of a room that waits for a listener. */
export function continueForListener(state: RoomState, { nowMs }: CommandContext): RoomOutcome {
  if (!state.isAwaitingListeners || !state.track || isPlayingOrCued(state)) return { state, changes: [] }
  const cued = cueTrack(state, state.track, { startWhenReady: true, addedBy: state.trackAddedBy }, nowMs)
  return { state: cued, changes: ['playback', 'track'] }
}

/**
 * Leaves a track that nobody can play, and removes such queue entries too: all in one change. A room that was playing, or
 * waited for its disk, continues with the next track.
 */
export function skipUnavailable(
  state: RoomState,
  { trackId, unavailableEntryIds }: Extract<RoomCommand, { type: 'skip_unavailable' }>,
  context: CommandContext,
): RoomOutcome {
  if (state.track?.id !== trackId) return { state, changes: [] }
  const unavailable = new Set(unavailableEntryIds)
  const queue = renumberQueue(state.queue.filter((entry) => !unavailable.has(entry.entry_id)))
  const isToPlay = isPlayingOrCued(state) || diskLookAt(state) !== null
  const outcome = advance({ ...state, queue }, isToPlay, context)
  return { ...outcome, changes: [...new Set<RoomChange>([...outcome.changes, 'queue'])] }
}

/**
 * Makes a track current. Ignores a track that is cued already, such as the announcement that follows a `next`.
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

/** Appends the current track to the queue of a room that repeats it (17.461), unless the queue is full. */
export function repeatCurrent(state: RoomState): RoomState {
  const { id, settings, track, queue, timeline, trackAddedBy } = state
  if (!settings.repeat || !track || state.isLastTurn || queue.length >= limits.queueMaxLength) return state
  // No two turns of a room have the same number.
  const entry = toEntry(track, repeatPrefix(id) + timeline.sequenceNumber, trackAddedBy)
  return { ...state, queue: renumberQueue([...queue, entry]) }
}

const repeatPrefix = (roomId: string): string => `${roomId}-`

/** Removes the entry by which the track played before was to be repeated: it is heard again now. */
export function dropRepeat({ id, queue }: RoomState, track: Track): QueueEntry[] {
  const last = queue.at(-1)
  const isRepeat = last?.id === track.id && last.entry_id.startsWith(repeatPrefix(id))
  return isRepeat ? queue.slice(0, -1) : queue
}

/** Makes the first queue entry current; with an empty queue the room is left without a current track. */
export function advance(state: RoomState, startWhenReady: boolean, context: CommandContext): RoomOutcome {
  const [first] = state.queue
  if (first) return promoteEntry(state, first.entry_id, { startWhenReady }, context)
  const sequenceNumber = state.timeline.sequenceNumber + limits.sequenceStepOther
  const timeline = { ...emptyTimeline, atServerMs: context.nowMs, sequenceNumber }
  return {
    state: { ...state, track: null, trackAddedBy: null, cue: null, timeline },
    changes: ['playback', 'track'],
  }
}

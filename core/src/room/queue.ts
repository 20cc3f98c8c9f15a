import { limits } from '../limits.ts'
import type { QueueEntry, Track } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import { cueTrack } from './cue.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'

/** The queue is a list in order; positions are derived from it and are always 0..n-1. */

function renumber(entries: QueueEntry[]): QueueEntry[] {
  return entries.map((entry, position) => (entry.position === position ? entry : { ...entry, position }))
}

/**
 * Appends tracks (4.17b).
 * @throws AppError queue_full, and nothing is added
 */
function append(
  queue: QueueEntry[],
  added: { track: Track; entryId: string }[],
  addedBy: string | null,
): QueueEntry[] {
  if (queue.length + added.length > limits.queueMaxLength) throw new AppError('queue_full')
  const entries = added.map(({ track, entryId }) => ({
    ...track,
    entry_id: entryId,
    position: 0,
    added_by: addedBy,
  }))
  return renumber([...queue, ...entries])
}

/** Takes an entry out and closes up (4.18). @throws AppError queue_entry_not_found */
function remove(queue: QueueEntry[], entryId: string): QueueEntry[] {
  const rest = queue.filter((entry) => entry.entry_id !== entryId)
  if (rest.length === queue.length) throw new AppError('queue_entry_not_found')
  return renumber(rest)
}

/**
 * Brings the named entries into the given order; whatever is not named stays behind them in its old order, and ids that
 * are not in the queue are passed over: two people who arrange at the same time lose nothing (7.17).
 */
function arrange(queue: QueueEntry[], order: string[]): QueueEntry[] {
  const byId = new Map(queue.map((entry) => [entry.entry_id, entry]))
  const named = [...new Set(order)].flatMap((id) => byId.get(id) ?? [])
  const namedIds = new Set(named.map((entry) => entry.entry_id))
  return renumber([...named, ...queue.filter((entry) => !namedIds.has(entry.entry_id))])
}

/** The track of an entry, without what belongs to the queue. */
function toTrack(entry: QueueEntry): Track {
  const { entry_id: _entryId, position: _position, added_by: _addedBy, ...track } = entry
  return track
}

/** Takes an entry out of the queue and makes its track current (4.13a). @throws AppError queue_entry_not_found */
export function promoteEntry(
  state: RoomState,
  entryId: string,
  { startWhenReady }: { startWhenReady: boolean },
  { nowMs }: CommandContext,
): RoomOutcome {
  const entry = state.queue.find((candidate) => candidate.entry_id === entryId)
  if (!entry) throw new AppError('queue_entry_not_found')
  const rest = { ...state, queue: remove(state.queue, entryId) }
  return {
    state: cueTrack(rest, toTrack(entry), { startWhenReady }, nowMs),
    changes: ['track', 'queue', 'playback'],
  }
}

/**
 * A track is added: it becomes current, paused, where nothing is; otherwise it is appended (4.17).
 * @throws AppError queue_full
 */
export function addTrack(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'add_track' }>,
  { nowMs }: CommandContext,
): RoomOutcome {
  const { track, entryId, addedBy } = command
  if (state.queue.some((entry) => entry.entry_id === entryId)) return { state, changes: [] }
  if (!state.track && state.queue.length === 0) {
    return { state: cueTrack(state, track, { startWhenReady: false }, nowMs), changes: ['track', 'playback'] }
  }
  return {
    state: { ...state, queue: append(state.queue, [{ track, entryId }], addedBy) },
    changes: ['queue'],
  }
}

/** @throws AppError queue_entry_not_found */
export function removeEntry(state: RoomState, entryId: string): RoomOutcome {
  return { state: { ...state, queue: remove(state.queue, entryId) }, changes: ['queue'] }
}

/**
 * Adds what is new, takes over the order, removes nothing (7.17). An order that is the present one changes nothing;
 * where no track is current the first one becomes it (4.17a).
 */
export function arrangeQueue(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'arrange_queue' }>,
  context: CommandContext,
): RoomOutcome {
  const fresh = new Map(command.added.map((addition) => [addition.entryId, addition]))
  for (const entry of state.queue) fresh.delete(entry.entry_id)
  const added = append(state.queue, [...fresh.values()], command.addedBy)
  const queue = arrange(added, command.order)
  const isSame =
    queue.length === state.queue.length && queue.every((entry, index) => entry === state.queue[index])
  if (isSame) return { state, changes: [] }
  const [first] = queue
  if (state.track || !first) return { state: { ...state, queue }, changes: ['queue'] }
  return promoteEntry({ ...state, queue }, first.entry_id, { startWhenReady: false }, context)
}

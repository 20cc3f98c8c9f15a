import { limits } from '../limits.ts'
import type { QueueEntry, Track } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import { insertAtPositions } from './insert-at-positions.ts'
import {
  renumberQueue,
  startsByItself,
  type Actor,
  type AddedBy,
  type CommandContext,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
} from './room-state.ts'
import { cueTrack, promoteEntry, toEntry } from './track-change.ts'
import { requireWithinLimit, withinLimit } from './waiting-limit.ts'

/** The commands on a room's queue. Positions are derived from the order and always 0..n-1. */

/**
 * Appends tracks (4.17b).
 * @throws AppError queue_full; then nothing is added
 */
export function appendTracks(
  queue: QueueEntry[],
  added: { track: Track; entryId: string }[],
  addedBy: AddedBy | null,
): QueueEntry[] {
  if (queue.length + added.length > limits.queueMaxLength) throw new AppError('queue_full')
  const entries = added.map(({ track, entryId }) => toEntry(track, entryId, addedBy))
  return renumberQueue([...queue, ...entries])
}

/**
 * Moves the named entries to the front in the given order; the others follow in their old order. Ignores unknown ids,
 * so that concurrent changes lose nothing (7.17).
 */
function arrange(queue: QueueEntry[], order: string[]): QueueEntry[] {
  const byId = new Map(queue.map((entry) => [entry.entry_id, entry]))
  const named = [...new Set(order)].flatMap((id) => byId.get(id) ?? [])
  const namedIds = new Set(named.map((entry) => entry.entry_id))
  return renumberQueue([...named, ...queue.filter((entry) => !namedIds.has(entry.entry_id))])
}

/**
 * Adds a track: in a room without track and queue it becomes current, and starts unless the room was paused by hand;
 * otherwise it is appended (4.17).
 * @throws AppError queue_full, too_many_waiting
 */
export function addTrack(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'add_track' }>,
  { nowMs }: CommandContext,
): RoomOutcome {
  const { track, entryId, addedBy } = command
  if (state.queue.some((entry) => entry.entry_id === entryId)) return { state, changes: [] }
  if (!state.track && state.queue.length === 0) {
    return {
      state: cueTrack(state, track, { startWhenReady: startsByItself(state), addedBy }, nowMs),
      changes: ['track', 'playback'],
    }
  }
  const queue = appendTracks(state.queue, [{ track, entryId }], addedBy)
  requireWithinLimit(state, addedBy.id, 1)
  return { state: { ...state, queue }, changes: ['queue'] }
}

/** Removes an entry (4.18). @throws AppError queue_entry_not_found */
export function removeEntry(state: RoomState, entryId: string): RoomOutcome {
  const outcome = keepEntries(state, (entry) => entry.entry_id !== entryId)
  if (outcome.changes.length === 0) throw new AppError('queue_entry_not_found')
  return outcome
}

/**
 * Adds new tracks and applies an order, without removing anything (7.17). Without a current track the first entry
 * becomes current, as in `addTrack`. An unchanged order changes nothing.
 */
export function arrangeQueue(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'arrange_queue' }>,
  context: CommandContext,
): RoomOutcome {
  const fresh = new Map(command.added.map((addition) => [addition.entryId, addition]))
  for (const entry of state.queue) fresh.delete(entry.entry_id)
  const added = appendTracks(state.queue, [...fresh.values()], command.addedBy)
  const isFirst = !state.track && state.queue.length === 0
  if (fresh.size > 0) requireWithinLimit(state, command.addedBy.id, fresh.size - (isFirst ? 1 : 0))
  const queue = arrange(added, command.order)
  const isSame =
    queue.length === state.queue.length && queue.every((entry, index) => entry === state.queue[index])
  if (isSame) return { state, changes: [] }
  const after = { ...state, queue }
  return state.track ? { state: after, changes: ['queue'] } : startFirst(after, context)
}

/**
 * Moves an entry to an index, at most the last. Repeating it has no further effect. @throws AppError
 * queue_entry_not_found
 */
export function moveEntry(
  state: RoomState,
  { entryId, index }: Extract<RoomCommand, { type: 'move_entry' }>,
): RoomOutcome {
  const entry = state.queue.find((candidate) => candidate.entry_id === entryId)
  if (!entry) throw new AppError('queue_entry_not_found')
  const others = state.queue.filter((candidate) => candidate !== entry)
  const target = Math.min(index, others.length)
  if (target === entry.position) return { state, changes: [] }
  return withQueue(state, others.toSpliced(target, 0, entry))
}

/**
 * Puts removed entries back where they were, as many as fit. In a room without a track and a queue the first becomes
 * current, as in `addTrack`.
 * @throws AppError queue_entry_not_found: they were removed too long ago; queue_full, too_many_waiting: none fits
 */
export function restoreEntries(
  state: RoomState,
  { entries, removedAtMs }: Extract<RoomCommand, { type: 'restore_entries' }>,
  context: CommandContext,
): RoomOutcome {
  const queued = new Set(state.queue.map((entry) => entry.entry_id))
  const missing = entries.filter((entry) => !queued.has(entry.entry_id))
  if (missing.length === 0) return { state, changes: [] }
  if (context.nowMs - removedAtMs > limits.restoreWindowMs) throw new AppError('queue_entry_not_found')
  const room = limits.queueMaxLength - state.queue.length
  if (room <= 0) throw new AppError('queue_full')
  const fitting = withinLimit(state, missing, context.actor).slice(0, room)
  const queue = insertAtPositions(state.queue, fitting)
  const after = { ...state, queue }
  const hadMusic = state.track !== null || state.queue.length > 0
  return hadMusic ? { state: after, changes: ['queue'] } : startFirst(after, context)
}

/** Makes the first entry of a changed queue current, if there is one. */
function startFirst(state: RoomState, context: CommandContext): RoomOutcome {
  const [first] = state.queue
  if (!first) return { state, changes: ['queue'] }
  return promoteEntry(state, first.entry_id, { startWhenReady: startsByItself(state) }, context)
}

/** Returns the user whose entries alone an actor clears; null: all are cleared. */
export function clearedUserId({ ownerId }: Pick<RoomState, 'ownerId'>, actor: Actor): string | null {
  return actor.kind === 'server' || actor.id === ownerId ? null : actor.id
}

/** Removes all entries for the owner, and for any other member those that the member added. */
export function clearQueue(state: RoomState, { actor }: CommandContext): RoomOutcome {
  const ofUser = clearedUserId(state, actor)
  return keepEntries(state, (entry) => ofUser !== null && entry.added_by !== ofUser)
}

/** Removes the entries that a user added. The current track plays on, but is not repeated. */
export function removeEntriesOf(state: RoomState, userId: string): RoomOutcome {
  const isTheirs = state.trackAddedBy?.id === userId
  const after = isTheirs ? { ...state, isLastTurn: true } : state
  return keepEntries(after, (entry) => entry.added_by !== userId)
}

function keepEntries(state: RoomState, isKept: (entry: QueueEntry) => boolean): RoomOutcome {
  const kept = state.queue.filter(isKept)
  return kept.length === state.queue.length ? { state, changes: [] } : withQueue(state, kept)
}

function withQueue(state: RoomState, queue: QueueEntry[]): RoomOutcome {
  return { state: { ...state, queue: renumberQueue(queue) }, changes: ['queue'] }
}

import { limits } from '../limits.ts'
import type { QueueEntry } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import {
  renumberQueue,
  startsByItself,
  type CommandContext,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
} from './room-state.ts'
import { promoteEntry } from './track-change.ts'

/** The commands that rearrange a queue: move, restore and clear. Repeating one has no further effect. */

/** Moves an entry to an index, at most the last. @throws AppError queue_entry_not_found */
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
 * Puts a removed entry back where it was, or at the end of a queue that is shorter by now. In a room without a track it
 * becomes current, as in `addTrack`.
 * @throws AppError queue_entry_not_found: it was removed too long ago; queue_full
 */
export function restoreEntry(
  state: RoomState,
  { entry, removedAtMs }: Extract<RoomCommand, { type: 'restore_entry' }>,
  context: CommandContext,
): RoomOutcome {
  if (state.queue.some((queued) => queued.entry_id === entry.entry_id)) return { state, changes: [] }
  if (context.nowMs - removedAtMs > limits.restoreWindowMs) throw new AppError('queue_entry_not_found')
  if (state.queue.length >= limits.queueMaxLength) throw new AppError('queue_full')
  if (!state.track && state.queue.length === 0) {
    const startWhenReady = startsByItself(state)
    return promoteEntry({ ...state, queue: [entry] }, entry.entry_id, { startWhenReady }, context)
  }
  return withQueue(state, state.queue.toSpliced(entry.position, 0, entry))
}

/** Removes all entries for the owner, and for any other member those that the member added. */
export function clearQueue(state: RoomState, { actor }: CommandContext): RoomOutcome {
  const isWhole = actor.kind === 'server' || actor.id === state.ownerId
  const kept = isWhole ? [] : state.queue.filter((entry) => entry.added_by !== actor.id)
  return kept.length === state.queue.length ? { state, changes: [] } : withQueue(state, kept)
}

function withQueue(state: RoomState, queue: QueueEntry[]): RoomOutcome {
  return { state: { ...state, queue: renumberQueue(queue) }, changes: ['queue'] }
}

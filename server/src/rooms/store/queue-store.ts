import type { QueueEntry } from '@earshot/core/protocol/entities'

/** What must be written to get from one queue to another, in at most three statements. */
export interface QueueChanges {
  removedIds: string[]
  /** Entries that stand together and all move by the same number of places. Applies before `written`. */
  shift: { first: number; last: number; by: number } | null
  /** New entries, and moved ones that are not part of the shift, with their new positions. */
  written: QueueEntry[]
}

/**
 * Compares by entry id and position. Taking an entry out moves all that follow it by one, which is the common case
 * (`next`, a removal) and one statement; any other order is written entry by entry.
 */
export function compareQueues(before: QueueEntry[], after: QueueEntry[]): QueueChanges {
  const kept = new Set(after.map((entry) => entry.entry_id))
  const positions = new Map(before.map((entry) => [entry.entry_id, entry.position]))
  const removedIds = before.flatMap((entry) => (kept.has(entry.entry_id) ? [] : [entry.entry_id]))
  const added = after.filter((entry) => !positions.has(entry.entry_id))
  const moves = after.flatMap((entry) => {
    const from = positions.get(entry.entry_id)
    return from === undefined || from === entry.position ? [] : [{ entry, from, by: entry.position - from }]
  })
  const shift = toShift(moves, removedIds, before)
  return { removedIds, shift, written: shift ? added : [...added, ...moves.map((move) => move.entry)] }
}

type Move = { entry: QueueEntry; from: number; by: number }

/** Null unless the moves are one shift whose range holds no entry that stays where it is. */
function toShift(moves: Move[], removedIds: string[], before: QueueEntry[]): QueueChanges['shift'] {
  const by = moves[0]?.by
  if (by === undefined || moves.some((move) => move.by !== by)) return null
  const first = Math.min(...moves.map((move) => move.from))
  const last = Math.max(...moves.map((move) => move.from))
  const inRange = before.filter((entry) => entry.position >= first && entry.position <= last)
  const removed = new Set(removedIds)
  const stayed = inRange.filter((entry) => !removed.has(entry.entry_id))
  return stayed.length === moves.length ? { first, last, by } : null
}

import type { QueueEntry } from '../protocol/entities.ts'
import { renumberQueue } from './room-state.ts'

/**
 * Puts removed entries back into a queue, each at the position that it had, or at the end of a queue that is shorter by
 * now. Entries that were removed at once keep their order, and what was added meanwhile stays in its own.
 */
export function insertAtPositions(
  queue: readonly QueueEntry[],
  removed: readonly QueueEntry[],
): QueueEntry[] {
  const others = [...queue]
  const merged: QueueEntry[] = []
  for (const entry of removed.toSorted((a, b) => a.position - b.position)) {
    const missing = entry.position - merged.length
    if (missing > 0) merged.push(...others.splice(0, missing))
    merged.push(entry)
  }
  return renumberQueue([...merged, ...others])
}

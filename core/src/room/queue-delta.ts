import type { QueueEntry } from '../protocol/entities.ts'
import type { QueuePart } from '../protocol/queue-calls.ts'
import { renumberQueue } from './room-state.ts'

/** The difference between two queues: the new queue as ranges of the old one and whole entries (decision 053). */

/** Describes `after` by ranges of `before`, as few as possible, and by the entries that `before` does not contain. */
export function compareQueues(before: readonly QueueEntry[], after: readonly QueueEntry[]): QueuePart[] {
  const places = new Map(before.map((entry, index) => [entry.entry_id, index]))
  const parts: QueuePart[] = []
  let range: { first: number; count: number } | null = null
  for (const entry of after) {
    const place = places.get(entry.entry_id)
    if (place === undefined) {
      parts.push({ entry })
      range = null
    } else if (range && place === range.first + range.count) {
      range.count++
    } else {
      range = { first: place, count: 1 }
      parts.push(range)
    }
  }
  return parts
}

/** A queue and its version, which every change raises by one. */
export interface NumberedQueue {
  queue: readonly QueueEntry[]
  version: number
}

export interface QueueDelta {
  baseVersion: number
  version: number
  parts: readonly QueuePart[]
}

/**
 * Applies a difference; one that is already contained changes nothing. Null if it does not continue the queue: an
 * earlier one is missing, and the whole queue is needed.
 */
export function applyQueueDelta(
  known: NumberedQueue,
  { baseVersion, version, parts }: QueueDelta,
): NumberedQueue | null {
  if (version <= known.version) return known
  if (baseVersion !== known.version) return null
  const queue = applyParts(known.queue, parts)
  return queue && { queue, version }
}

/** Builds the new queue from the old one. Null if the parts do not fit it. */
function applyParts(before: readonly QueueEntry[], parts: readonly QueuePart[]): QueueEntry[] | null {
  const after: QueueEntry[] = []
  for (const part of parts) {
    if ('entry' in part) after.push(part.entry)
    else if (part.first + part.count > before.length) return null
    else after.push(...before.slice(part.first, part.first + part.count))
  }
  const isUnique = new Set(after.map((entry) => entry.entry_id)).size === after.length
  return isUnique ? renumberQueue(after) : null
}

export interface QueueRange {
  first: number
  count: number
  /** How many places the entries of the range move; positive = towards the end. */
  by: number
}

/** Returns the ranges of the old queue that are kept, in the order of the new one. */
export function keptRanges(parts: readonly QueuePart[]): QueueRange[] {
  let position = 0
  return parts.flatMap((part) => {
    const start = position
    position += 'entry' in part ? 1 : part.count
    return 'entry' in part ? [] : [{ ...part, by: start - part.first }]
  })
}

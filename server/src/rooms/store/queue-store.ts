import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { QueuePart } from '@earshot/core/protocol/queue-calls'
import { type QueueRange, keptRanges } from '@earshot/core/room/queue-delta'
import type { Db } from '../../db/database.ts'
import { deleteQueueEntries, moveQueueRanges, writeQueueEntries } from '../../db/room-queues.ts'

/** More ranges than this are written entry by entry: a statement with many cases costs more than it saves. */
const rangesMovedMax = 32

/** A change of a queue; `parts` describe `after` by `before`. New entries get `addedAtMs`. */
interface QueueChange {
  before: QueueEntry[]
  after: QueueEntry[]
  parts: QueuePart[]
  addedAtMs: number
}

/** Writes a change in at most three statements: removals, moved ranges, then new entries. */
export async function writeQueueChange(db: Db, roomId: string, change: QueueChange): Promise<void> {
  const { removedIds, moved, written } = planWrites(change)
  if (removedIds.length > 0) await deleteQueueEntries(db, roomId, removedIds)
  if (moved.length > 0) await moveQueueRanges(db, roomId, moved)
  if (written.length === 0) return
  const rows = written.map((entry) => ({
    entry_id: entry.entry_id,
    room_id: roomId,
    track_id: entry.id,
    position: entry.position,
    added_by: entry.added_by,
    added_at: Math.round(change.addedAtMs),
  }))
  await writeQueueEntries(db, rows)
}

interface QueueWrites {
  removedIds: string[]
  /** Ranges of old positions; moved at once, before `written`. */
  moved: QueueRange[]
  /** New entries, and moved ones outside the ranges, with their new positions. */
  written: QueueEntry[]
}

/** Chooses the statements: `next`, a removal or a move of one entry takes one, any other order one row per entry. */
export function planWrites({ before, after, parts }: Omit<QueueChange, 'addedAtMs'>): QueueWrites {
  const kept = new Set(after.map((entry) => entry.entry_id))
  const known = new Map(before.map((entry) => [entry.entry_id, entry.position]))
  const removedIds = before.flatMap((entry) => (kept.has(entry.entry_id) ? [] : [entry.entry_id]))
  const ranges = keptRanges(parts).filter((range) => range.by !== 0)
  const moved = ranges.length > rangesMovedMax ? [] : ranges
  const isWritten = ({ entry_id, position }: QueueEntry): boolean =>
    !known.has(entry_id) || (moved.length === 0 && known.get(entry_id) !== position)
  return { removedIds, moved, written: after.filter(isWritten) }
}

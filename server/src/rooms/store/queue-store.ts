import type { Clock } from '@earshot/core/clock'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { QueuePart } from '@earshot/core/protocol/queue-calls'
import { type QueueRange, keptRanges } from '@earshot/core/room/queue-delta'
import type { Db } from '../../db/database.ts'
import { deleteQueueEntries, moveQueueRanges, writeQueueEntries } from '../../db/room-queues.ts'

/**
 * Caches queues as last read or written by this process, so that a command need not read a long queue again. An entry
 * is valid while its version equals that of the locked room row, which every change raises in any process. Titles and
 * other fields of tracks may be up to `freshForMs` old.
 */
export interface QueueCache {
  find(roomId: string, version: number): QueueEntry[] | null
  store(roomId: string, version: number, queue: QueueEntry[]): void
}

/** Maximum age, so that metadata corrected by a library scan reaches every room. */
const freshForMs = 30_000
/** Maximum entries in all rooms; the least recently stored rooms are evicted first. */
const entriesKept = 50_000

export function createQueueCache(clock: Clock): QueueCache {
  const rooms = new Map<string, { version: number; queue: QueueEntry[]; readAtMs: number }>()
  let entries = 0

  const remove = (roomId: string): void => {
    entries -= rooms.get(roomId)?.queue.length ?? 0
    rooms.delete(roomId)
  }

  return {
    find(roomId, version) {
      const known = rooms.get(roomId)
      if (!known) return null
      if (known.version === version && clock.now() - known.readAtMs < freshForMs) return known.queue
      remove(roomId)
      return null
    },
    store(roomId, version, queue) {
      const known = rooms.get(roomId)
      const readAtMs = known?.version === version ? known.readAtMs : clock.now()
      remove(roomId)
      rooms.set(roomId, { version, queue, readAtMs })
      entries += queue.length
      for (const oldest of rooms.keys()) {
        if (entries <= entriesKept) return
        remove(oldest)
      }
    },
  }
}

/** More ranges than this are written entry by entry: a statement with many cases costs more than it saves. */
const rangesMovedMax = 32

/** A change of a queue; `parts` describe `after` by `before`. New entries get `addedAtMs`. */
export interface QueueChange {
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

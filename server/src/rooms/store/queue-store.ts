import type { Clock } from '@earshot/core/clock'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { Db } from '../../db/database.ts'
import { deleteQueueEntries, shiftQueueEntries, writeQueueEntries } from '../../db/rooms.ts'

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

/** The difference between two queues, written in at most three statements. */
export interface QueueChanges {
  removedIds: string[]
  /** A contiguous range that moves by the same distance. Applied before `written`. */
  shift: { first: number; last: number; by: number } | null
  /** New entries, and moved ones outside the shift, with their new positions. */
  written: QueueEntry[]
}

/** Writes the difference between two queues of a room; new entries get `addedAtMs`. */
export async function writeQueueChanges(
  db: Db,
  roomId: string,
  { before, after, addedAtMs }: { before: QueueEntry[]; after: QueueEntry[]; addedAtMs: number },
): Promise<void> {
  const { removedIds, shift, written } = compareQueues(before, after)
  if (removedIds.length > 0) await deleteQueueEntries(db, roomId, removedIds)
  if (shift) await shiftQueueEntries(db, roomId, shift)
  if (written.length === 0) return
  const rows = written.map((entry) => ({
    entry_id: entry.entry_id,
    room_id: roomId,
    track_id: entry.id,
    position: entry.position,
    added_by: entry.added_by,
    added_at: Math.round(addedAtMs),
  }))
  await writeQueueEntries(db, rows)
}

/**
 * Compares queues by entry id and position. Removing an entry shifts all that follow by one: the common case (`next`,
 * a removal) takes one statement. Any other order is written entry by entry.
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

/** Returns null unless the moves form one shift, with no unmoved entry within its range. */
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

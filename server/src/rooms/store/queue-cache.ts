import type { Clock } from '@earshot/core/clock'
import type { QueueEntry } from '@earshot/core/protocol/entities'

/**
 * Queues as this process last read or wrote them, so that a command on a room with a long queue need not read all of
 * it again. Which one is current says the room's row, under its lock: its queue version rises with every change, in
 * any process. What tracks say of themselves may be as old as `freshForMs`.
 */
export interface QueueCache {
  find(roomId: string, version: number): QueueEntry[] | null
  store(roomId: string, version: number, queue: QueueEntry[]): void
}

/** A title that a scan of the library corrects is seen in every room after so long, ms. */
const freshForMs = 30_000
/** Entries kept in all; the rooms that were used longest ago make way. */
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

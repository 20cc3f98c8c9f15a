import type { QueueEntry, Track } from '@earshot/core/protocol/entities'

/** The viewer's edits of the queue that the server has not confirmed, and the queue drawn with them. */

export type PendingQueueEdit = { id: string } & (
  | { command: 'add'; track: Track; addedBy: string; knownEntryIds: ReadonlySet<string> }
  | { command: 'remove'; entryId: string }
  | { command: 'move'; entryId: string; index: number }
  | { command: 'restore'; entry: QueueEntry }
  /** `addedBy`: only the entries of this user; null for all. */
  | { command: 'clear'; addedBy: string | null }
)

/** An entry as it is drawn. */
export interface DrawnEntry extends QueueEntry {
  /** On its way to the server. */
  isPending?: boolean
}

const trackIds = new WeakMap<readonly QueueEntry[], ReadonlySet<string>>()

/** Returns the ids of the tracks in a queue; the same queue gives the same set. */
export function queuedTrackIds(queue: readonly QueueEntry[]): ReadonlySet<string> {
  const known = trackIds.get(queue)
  if (known) return known
  const ids = new Set(queue.map((entry) => entry.id))
  trackIds.set(queue, ids)
  return ids
}

/** Predicts the queue after an edit. Entries that keep their position keep their identity. */
export function editQueue(queue: readonly DrawnEntry[], edit: PendingQueueEdit): readonly DrawnEntry[] {
  switch (edit.command) {
    case 'add': {
      const { track, id, addedBy } = edit
      const entry = { ...track, entry_id: id, position: queue.length, added_by: addedBy, isPending: true }
      return [...queue, entry]
    }
    case 'remove':
      return renumber(queue.filter((entry) => entry.entry_id !== edit.entryId))
    case 'move': {
      const moved = queue.find((entry) => entry.entry_id === edit.entryId)
      if (!moved) return queue
      return renumber(queue.filter((entry) => entry !== moved).toSpliced(edit.index, 0, moved))
    }
    case 'restore': {
      const { entry } = edit
      if (queue.some((queued) => queued.entry_id === entry.entry_id)) return queue
      return renumber(queue.toSpliced(entry.position, 0, entry))
    }
    case 'clear':
      return edit.addedBy === null ? [] : renumber(queue.filter((entry) => entry.added_by !== edit.addedBy))
  }
}

export const renumber = (queue: readonly DrawnEntry[]): DrawnEntry[] =>
  queue.map((entry, position) => (entry.position === position ? entry : { ...entry, position }))

import { limits } from '@earshot/core/limits'
import type { Db } from '../../db/database.ts'
import { deleteLastPlayed, deleteRemoved, insertPlayed, insertRemoved } from '../../db/queue-memory.ts'
import type { RemovedEntriesTable, RoomHistoryTable } from '../../db/schema.ts'

/** What a change of a room adds to, or takes from, what the room played and what was removed from its queue. */
export type QueueMemoryChange =
  | { type: 'played'; row: RoomHistoryTable }
  /** The track is current again: the room played it last. */
  | { type: 'resumed'; trackId: string }
  | { type: 'removed'; row: RemovedEntriesTable }
  | { type: 'restored'; entryId: string }

/** Writes the changes, in order, without reading: they may be collected and stored together. */
export async function writeQueueMemory(
  db: Db,
  roomId: string,
  changes: readonly QueueMemoryChange[],
): Promise<void> {
  for (const change of changes) await write(db, roomId, change)
}

async function write(db: Db, roomId: string, change: QueueMemoryChange): Promise<void> {
  switch (change.type) {
    case 'played':
      return await insertPlayed(db, change.row, limits.historyMaxLength)
    case 'resumed':
      return await deleteLastPlayed(db, roomId, change.trackId)
    case 'removed':
      return await insertRemoved(db, change.row, change.row.removed_at - limits.restoreWindowMs)
    case 'restored':
      return await deleteRemoved(db, change.entryId)
  }
}

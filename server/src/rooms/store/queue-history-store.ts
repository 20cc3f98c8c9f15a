import { limits } from '@earshot/core/limits'
import type { Db } from '../../db/database.ts'
import { deleteLastPlayed, deleteRemoved, insertPlayed, insertRemoved } from '../../db/queue-history.ts'
import type { RemovedEntriesTable, RoomHistoryTable } from '../../db/schema.ts'
import { serverLimits } from '../../server-limits.ts'

/** A change of a room's history, stored with the change of the room. */
export type HistoryChange =
  | { type: 'played'; row: RoomHistoryTable }
  /** The track is current again: the room played it last. */
  | { type: 'resumed'; trackId: string }
  | { type: 'removed'; row: RemovedEntriesTable }
  | { type: 'restored'; entryId: string }

/** Writes the changes, in order, without reading: they may be collected and stored together. */
export async function writeHistory(db: Db, roomId: string, changes: readonly HistoryChange[]): Promise<void> {
  for (const change of changes) await write(db, roomId, change)
}

async function write(db: Db, roomId: string, change: HistoryChange): Promise<void> {
  switch (change.type) {
    case 'played':
      return await insertPlayed(db, change.row, serverLimits.historyMaxLength)
    case 'resumed':
      return await deleteLastPlayed(db, roomId, change.trackId)
    case 'removed':
      return await insertRemoved(db, change.row, change.row.removed_at - limits.restoreWindowMs)
    case 'restored':
      return await deleteRemoved(db, change.entryId)
  }
}

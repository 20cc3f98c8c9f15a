import { limits } from '@earshot/core/limits'
import type { Db } from '../../db/database.ts'
import {
  type Clearing,
  type Removal,
  deleteLastPlayed,
  deleteRemoved,
  insertCleared,
  insertPlayed,
  insertRemoved,
} from '../../db/queue-history.ts'
import type { RemovedEntriesTable, RoomHistoryTable } from '../../db/schema.ts'
import { serverLimits } from '../../server-limits.ts'

/** A change of a room's history, stored with the change of the room. */
export type HistoryChange =
  | { type: 'played'; row: RoomHistoryTable }
  /** The track is current again: the room played it last. */
  | { type: 'resumed'; trackId: string }
  | { type: 'removed'; row: RemovedEntriesTable }
  | ({ type: 'cleared' } & Clearing)
  | { type: 'restored'; removal: Removal }

/**
 * Writes the changes, in order, without reading: they may be collected and stored together. Before the change of the
 * queue, which has what is cleared.
 */
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
    case 'cleared':
      return await insertCleared(db, change, change.atMs - limits.restoreWindowMs)
    case 'restored':
      return await deleteRemoved(db, roomId, change.removal)
  }
}

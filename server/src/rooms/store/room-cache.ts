import type { Clock } from '@earshot/core/clock'
import type { RoomPlaybackColumns, RoomRow } from '../../db/rooms.ts'
import type { StoredRoom } from './stored-room.ts'

/** A room as this process last read or wrote it. */
export interface KnownRoom {
  row: RoomRow
  room: StoredRoom
  /** Columns of the unchanged room, as this version writes them, to detect changes. */
  columns: RoomPlaybackColumns
  /** When its track and its queue were read. */
  readAtMs: number
}

/**
 * Caches rooms as last read or written by this process, so that a command need not read its room again. A cached room
 * counts only as far as the database confirms it: by a write that is guarded by its row, or by the version of its queue.
 * Titles and other fields of tracks may be up to `freshForMs` old.
 */
export interface RoomCache {
  find(roomId: string): KnownRoom | null
  store(known: KnownRoom): void
  remove(roomId: string): void
}

/** Maximum age, so that metadata corrected by a library scan reaches every room. */
const freshForMs = 30_000
/** Maximum entries of the queues of all rooms, a room itself counted as one; the least recently stored are evicted first. */
const entriesKept = 50_000

export function createRoomCache(clock: Clock): RoomCache {
  const rooms = new Map<string, KnownRoom>()
  let entries = 0

  const sizeOf = ({ room }: KnownRoom): number => 1 + room.state.queue.length
  const remove = (roomId: string): void => {
    const known = rooms.get(roomId)
    if (known) entries -= sizeOf(known)
    rooms.delete(roomId)
  }

  return {
    find(roomId) {
      const known = rooms.get(roomId)
      if (!known) return null
      if (Math.abs(clock.now() - known.readAtMs) < freshForMs) return known
      remove(roomId)
      return null
    },
    store(known) {
      remove(known.row.id)
      rooms.set(known.row.id, known)
      entries += sizeOf(known)
      for (const oldest of rooms.keys()) {
        if (entries <= entriesKept) return
        remove(oldest)
      }
    },
    remove,
  }
}

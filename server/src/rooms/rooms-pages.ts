import type { Clock } from '@earshot/core/clock'
import type { RoomsQuery } from '@earshot/core/protocol/validation'
import { z } from 'zod'
import { createSharedReads } from '../async/shared-reads.ts'
import type { Db } from '../db/database.ts'
import { cursorText, readCursor, writeCursor } from '../list-cursor.ts'
import type { ListedRoom } from '../db/rooms.ts'
import { type RoomsCursor, listRooms } from '../db/rooms-list.ts'
import { foldText } from '../library/search-text.ts'
import { serverLimits } from '../server-limits.ts'

interface RoomsPage {
  rooms: ListedRoom[]
  /** Null at the end of the list. */
  nextCursor: string | null
}

/** The pages of the list of rooms, each read at most once a second however many ask for it. */
interface RoomsPages {
  /** @param viewerId whose rooms scope `own` means */
  read(query: RoomsQuery, viewerId: string | null): Promise<RoomsPage>
  /** Reads all pages anew, so that a new room is listed at once. */
  forget(): void
}

/** Pages cached at a time. A client that requests many different ones only evicts the others. */
const pagesMax = 200

export function createRoomsPages({ db, clock }: { db: Db; clock: Clock }): RoomsPages {
  const pages = createSharedReads<RoomsPage>({ clock, ms: serverLimits.roomsListCacheMs, max: pagesMax })

  return {
    forget: () => pages.forget(),
    read(query, viewerId) {
      const ownerId = query.scope === 'own' ? viewerId : null
      return pages.read(JSON.stringify([query, ownerId]), () =>
        readPage(db, { query, ownerId, nowMs: clock.now() }),
      )
    },
  }
}

async function readPage(
  db: Db,
  { query, ownerId, nowMs }: { query: RoomsQuery; ownerId: string | null; nowMs: number },
): Promise<RoomsPage> {
  const { q, source, order, limit } = query
  const searchText = q === '' ? null : foldText(q)
  // Nothing but accents or spaces is in no name.
  if (searchText === '') return { rooms: [], nextCursor: null }
  const after = query.cursor === undefined ? null : readKey(query.cursor)
  const rooms = await listRooms(db, {
    source,
    order,
    searchText,
    ownerId,
    after,
    limit: limit + 1,
    isPublic: query.scope === 'public',
    usedAfterMs: nowMs - serverLimits.roomsIdleMs,
  })
  const shown = rooms.slice(0, limit)
  const last = shown.at(-1)
  return { rooms: shown, nextCursor: rooms.length > limit && last ? writeKey(last) : null }
}

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const keySchema = z.tuple([count, count, count, cursorText])

function readKey(cursor: string): RoomsCursor {
  const [isPlaying, listeners, lastUpdated, id] = readCursor(keySchema, cursor)
  return { isPlaying, listeners, lastUpdated, id }
}

function writeKey({ row, listeners }: ListedRoom): string {
  return writeCursor([row.is_playing, listeners, row.last_updated, row.id])
}

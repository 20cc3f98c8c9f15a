import type { RoomsQuery } from '@earshot/core/protocol/validation'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { escapeLike } from './catalogue/library-search.ts'
import { type ListedRoom, selectListed, toListedRooms } from './rooms.ts'

/** The sort key of the list. */
export interface RoomsCursor {
  isPlaying: number
  listeners: number
  lastUpdated: number
  id: string
}

/** A page of the list of rooms. */
export interface RoomsPage extends Pick<RoomsQuery, 'source' | 'order' | 'limit'> {
  /** A part of the name, without case and accents; null for all. */
  searchText: string | null
  /** Of this owner only; null for all. */
  ownerId: string | null
  isPublic: boolean
  /** Behind this room; null for the first page. */
  after: RoomsCursor | null
  /** Rooms without members that were last used before this are left out, unless they are searched for. */
  usedAfterMs: number
}

/** Lists rooms by number of members, then those used last (7.2). Private ones that are not listed only to their owner (17.435). */
export async function listRooms(db: Db, page: RoomsPage): Promise<ListedRoom[]> {
  const { searchText, source, ownerId } = page
  let query = selectListed(db)
  // First, since it needs no more than the index.
  if (searchText !== null) {
    const pattern = `%${escapeLike(searchText)}%`
    query = query.where(sql<boolean>`rooms.search_text like ${pattern} escape '\\'`)
  }
  // Settings are stored as JSON, without those that are the default.
  if (ownerId === null)
    query = query.where(sql<boolean>`(rooms.is_public = 1 or rooms.settings not like '%"listed":false%')`)
  else query = query.where('rooms.owner_id', '=', ownerId)
  if (page.isPublic) query = query.where('rooms.is_public', '=', 1)
  if (source) {
    // The track of a private room is hidden, so it is found by its setting alone.
    query = query.where((eb) => {
      const shown = eb.case().when('rooms.is_public', '=', 1).then(eb.ref('tracks.source')).else(null).end()
      return eb(eb.fn.coalesce(shown, 'rooms.preferred_source'), '=', source)
    })
  }
  if (searchText === null && ownerId === null) {
    query = query.where((eb) =>
      eb.or([eb('rooms.last_updated', '>', Math.floor(page.usedAfterMs)), eb('rooms.listeners', '>', 0)]),
    )
  }
  const playingFirst = page.order === 'playing'
  if (page.after) query = query.where(isAfter(page.after, playingFirst))
  if (playingFirst) query = query.orderBy('rooms.is_playing', 'desc')
  const rows = await query
    .orderBy('rooms.listeners', 'desc')
    .orderBy('rooms.last_updated', 'desc')
    .orderBy('rooms.id', 'desc')
    .limit(page.limit)
    .execute()
  return toListedRooms(db, rows)
}

/** All columns are sorted in one direction, so that one comparison of rows finds what comes after a room, by an index. */
function isAfter({ isPlaying, listeners, lastUpdated, id }: RoomsCursor, playingFirst: boolean) {
  return playingFirst
    ? sql<boolean>`(rooms.is_playing, rooms.listeners, rooms.last_updated, rooms.id) < (${isPlaying}, ${listeners}, ${lastUpdated}, ${id})`
    : sql<boolean>`(rooms.listeners, rooms.last_updated, rooms.id) < (${listeners}, ${lastUpdated}, ${id})`
}

import { type Room, type Source, unknownUsername } from '@earshot/core/protocol/entities'
import type { RoomsQuery } from '@earshot/core/protocol/validation'
import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'
import type { Clock } from '@earshot/core/clock'
import type { Db } from '../db/database.ts'
import { type ListedRoom, findListedRoom, requireListedRoom } from '../db/rooms.ts'
import type { RoomAccess } from './room-access.ts'
import { createRoomsPages } from './rooms-pages.ts'
import type { Presence } from '../presence/presence.ts'
import { isUnlisted, toStoredRoom } from './store/stored-room.ts'

/**
 * Converts a room to its wire form. The playback of a private room is hidden from users without access (6.4c), and so are the
 * names of one that is not listed (17.435).
 */
export function toWireRoom(listed: ListedRoom, isAdmitted: boolean): Room {
  const { row } = listed
  const isNamed = isAdmitted || !isUnlisted(row)
  const owner = isNamed ? listed.owner : null
  const { timeline, track, settings, trackAddedBy } = toStoredRoom(listed).state
  const shown = isAdmitted ? timeline : { ...emptyTimeline, isPlaying: timeline.isPlaying }
  return {
    id: row.id,
    name: isNamed ? row.name : '',
    owner_id: isNamed ? row.owner_id : '',
    owner: { username: owner?.username ?? unknownUsername, avatar_url: owner?.avatarUrl ?? null },
    is_public: row.is_public === 1,
    preferred_source: row.preferred_source as Source,
    is_playing: timeline.isPlaying,
    current_position: shown.positionMs,
    last_updated: shown.atServerMs,
    current_track_id: shown.trackId,
    currentTrack: isAdmitted ? track : null,
    // The stored name is that of when the track was added.
    ...(isAdmitted && trackAddedBy && listed.adderName !== null
      ? { current_added_by: { id: trackAddedBy.id, username: listed.adderName } }
      : {}),
    listeners: isNamed ? listed.listeners : 0,
    playback_state: toPlaybackState(shown, null),
    created_at: row.created_at,
    settings,
    // A private room's door hides its members, too.
    controller:
      isAdmitted && row.controller_id
        ? { id: row.controller_id, username: listed.controllerName ?? unknownUsername }
        : null,
  }
}

export interface RoomViews {
  /** Lists a room that was just created at once. */
  forgetLists(): void
  /** Lists a page of the rooms as the viewer (null: signed out) may see them; what it is made from is kept for a second. */
  list(query: RoomsQuery, viewerId: string | null): Promise<{ rooms: Room[]; nextCursor: string | null }>
  /** Resolves to one room as the viewer may see it. @throws AppError room_not_found */
  find(roomId: string, viewerId: string | null): Promise<Room>
  /** Resolves to the room as its members see it, or null. */
  findForMembers(roomId: string): Promise<Room | null>
}

export function createRoomViews(parts: {
  db: Db
  clock: Clock
  presence: Presence
  access: RoomAccess
}): RoomViews {
  const { db, access } = parts
  const pages = createRoomsPages(parts)
  const toKeptWireRoom = keepWireRooms()

  return {
    forgetLists: () => pages.forget(),
    async list(query, viewerId) {
      if (query.scope === 'own' && viewerId === null) return { rooms: [], nextCursor: null }
      const [page, isAdmitted] = await Promise.all([
        pages.read(query, viewerId),
        access.findAdmitted(viewerId),
      ])
      const rooms = page.rooms.map((room) => toKeptWireRoom(room, isAdmitted(room.row)))
      return { rooms, nextCursor: page.nextCursor }
    },
    async find(roomId, viewerId) {
      const room = await requireListedRoom(db, roomId)
      return toWireRoom(room, await access.isAdmitted(room.row, viewerId))
    },
    async findForMembers(roomId) {
      const room = await findListedRoom(db, roomId)
      return room && toWireRoom(room, true)
    },
  }
}

/**
 * Converts each room once for those who are admitted and once for others: a page is kept for a second, and asked for
 * often.
 */
function keepWireRooms(): typeof toWireRoom {
  const kept = { open: new WeakMap<ListedRoom, Room>(), closed: new WeakMap<ListedRoom, Room>() }
  return (listed, isAdmitted) => {
    const known = isAdmitted ? kept.open : kept.closed
    const room = known.get(listed) ?? toWireRoom(listed, isAdmitted)
    known.set(listed, room)
    return room
  }
}

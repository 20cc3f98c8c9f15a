import type { Clock } from '@earshot/core/clock'
import type { Door } from '@earshot/core/protocol/door-calls'
import { type Member, unknownUsername } from '@earshot/core/protocol/entities'
import { createSharedReads } from '../async/shared-reads.ts'
import type { Db } from '../db/database.ts'
import { type ListedRoom, findListedRoom, orRoomNotFound } from '../db/rooms.ts'
import { type CoverGrants, createCoverGrants } from '../crypto/cover-grants.ts'
import type { Presence } from '../presence/presence.ts'
import { type RoomAccess, admitsGuests } from './room-access.ts'
import { isInvited } from '../db/room-invites.ts'
import { isUnlisted, parseRoomSettings } from './store/stored-room.ts'
import { orderMembers } from './members.ts'
import { serverLimits } from '../server-limits.ts'

/** Describes rooms to visitors before they join. */
export interface Doors {
  /** `viewerId`: null without a session; `invite`: the token of an invite link. @throws AppError room_not_found */
  find(roomId: string, visit?: { viewerId: string | null; invite: string | null }): Promise<Door>
  /** Of the covers that doors of private rooms show. */
  coverGrants: Pick<CoverGrants, 'admits'>
}

interface SeenRoom {
  room: ListedRoom
  members: Member[]
}

interface DoorParts {
  db: Db
  clock: Clock
  presence: Presence
  access: RoomAccess
  secret: string
}

export function createDoors(parts: DoorParts): Doors {
  const { db, clock, access } = parts
  const findSeen = cacheSeenRooms(parts)
  const coverGrants = createCoverGrants(parts)

  return {
    coverGrants,
    async find(roomId, { viewerId, invite } = { viewerId: null, invite: null }) {
      const seen = orRoomNotFound(await findSeen(roomId))
      const { row } = seen.room
      const hasInvite = invite !== null && (await isInvited(db, clock, roomId, invite))
      const isOpen = hasInvite || (await access.isAdmitted(row, viewerId))
      const described = describeRoom(seen, { isOpen, coverGrants })
      return {
        ...(isOpen || !isUnlisted(row) ? described : withoutNames(described)),
        isInvited: hasInvite,
        guests: parseRoomSettings(row.settings).guests,
        guestsMayCome: admitsGuests(row, hasInvite),
        asksPassword: !isOpen,
      }
    },
  }
}

/** Reads each room at most once a second, also for many visitors at once. Unknown rooms are not kept. */
function cacheSeenRooms({ db, clock, presence }: DoorParts) {
  const seen = createSharedReads<SeenRoom | null>({
    clock,
    ms: serverLimits.doorCacheMs,
    max: serverLimits.doorCacheMax,
    isKept: (room) => room !== null,
  })
  return (roomId: string): Promise<SeenRoom | null> =>
    seen.read(roomId, async () => {
      const room = await findListedRoom(db, roomId)
      if (!room) return null
      return {
        room,
        members: await presence.listMembers(roomId, { offset: 0, limit: serverLimits.doorFaces }),
      }
    })
}

/** Of a room that is not listed, strangers learn only that it is private. */
const withoutNames = (door: ReturnType<typeof describeRoom>) => ({
  ...door,
  name: '',
  owner: { username: '', avatar: null },
  listeners: 0,
})

/** Anybody may load the cover of a track in a public room; that of a private one takes a permit. */
function describeRoom(
  { room, members }: SeenRoom,
  { isOpen, coverGrants }: { isOpen: boolean; coverGrants: CoverGrants },
) {
  const { row, owner, track, listeners } = room
  const isPublic = row.is_public === 1
  const cover = isOpen ? (track?.album_art ?? null) : null
  const art = isPublic || !cover || !track ? cover : coverGrants.sign(cover, track.id)
  return {
    id: row.id,
    name: row.name,
    owner: { username: owner?.username ?? unknownUsername, avatar: owner?.avatarUrl ?? null },
    isPublic,
    listeners,
    faces: isOpen
      ? orderMembers(members, row.owner_id).map(({ username, avatar_url }) => ({
          username,
          avatar: avatar_url,
        }))
      : [],
    track: isOpen && track ? { title: track.title, artist: track.artist, art } : null,
    isPlaying: isOpen && row.is_playing === 1,
  }
}

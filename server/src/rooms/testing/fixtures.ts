import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import { makeTrack } from '@earshot/core/testing/tracks'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { type RoomRow, findRoom } from '../../db/rooms.ts'
import { upsertTracks } from '../../db/tracks.ts'
import { createRoom } from '../create-room.ts'
import type { RoomBroadcasts } from '../room-events.ts'

/** What tests of the rooms begin with. */

export function makeUser(id: string): SessionUser {
  return { id, email: `${id}@example.org`, username: `name of ${id}`, avatarUrl: null }
}

/** Stores tracks with these ids and resolves to them. */
export async function storeTracks(db: Db, ids: string[], duration?: number): Promise<Track[]> {
  const tracks = ids.map((id) => makeTrack(id, duration))
  await upsertTracks(db, tracks, 1)
  return tracks
}

/** Makes a room of the user `owner`; with a password it is private. */
export async function openRoom(db: Db, clock: Clock, password: string | null = null): Promise<RoomRow> {
  const input = { name: 'Room', isPublic: password === null, password, preferredSource: 'library' as const }
  const roomId = await createRoom({ db, clock }, input, 'owner')
  const room = await findRoom(db, roomId)
  if (!room) throw new Error('the room that was just made is not there')
  return room.row
}

/** A change that puts something in the place of what is given. */
export function replace(part: Partial<RoomState>, changes: RoomOutcome['changes']) {
  return (state: RoomState): RoomOutcome => ({ state: { ...state, ...part }, changes })
}

export interface HeardBroadcasts extends RoomBroadcasts {
  /** One line an event, in order. */
  heard: string[]
}

/** Notes what a room would be told. */
export function listenToBroadcasts(): HeardBroadcasts {
  const heard: string[] = []
  return {
    heard,
    async roomChanged({ commands, outcome }) {
      heard.push(`changed: ${commands.map((command) => command.type).join()}: ${outcome.changes.join()}`)
    },
    memberJoined: (_roomId, member) => heard.push(`joined: ${member.id}`),
    membersChanged: () => heard.push('members'),
    messageSent: (_roomId, message) => heard.push(`message: ${message.content}`),
    userRemoved: (_roomId, userId) => heard.push(`removed: ${userId}`),
  }
}

import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import { makeTrack } from '@earshot/core/testing/tracks'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { type RoomRow, findRoom } from '../../db/rooms.ts'
import { upsertTracks } from '../../db/tracks.ts'
import type { EventBus } from '../../events.ts'
import type { SyncReports } from '../../sync-reports/sync-reports.ts'
import { createRoom } from '../create-room.ts'

/** Fixtures for tests of rooms. */

export function makeUser(id: string): SessionUser {
  return {
    id,
    email: `${id}@example.org`,
    name: id,
    username: `name of ${id}`,
    avatarUrl: null,
    isGuest: false,
    isAdmin: false,
  }
}

/** A room whose members report nothing. */
export const noSyncReports: Pick<SyncReports, 'audience'> = {
  audience: () => ({ roundTripsMs: [], hasElement: false, isLoading: false }),
}

/** Stores tracks with these ids and resolves to them. */
export async function storeTracks(db: Db, ids: string[], duration?: number): Promise<Track[]> {
  const tracks = ids.map((id) => makeTrack(id, duration))
  await upsertTracks(db, tracks, 1)
  return tracks
}

/** Creates a room of the user `owner`; with a password it is private. */
export async function openRoom(db: Db, clock: Clock, password: string | null = null): Promise<RoomRow> {
  const input = { name: 'Room', isPublic: password === null, password, preferredSource: 'library' as const }
  const roomId = await createRoom({ db, clock }, input, 'owner')
  const room = await findRoom(db, roomId)
  if (!room) throw new Error('the room just created does not exist')
  return room.row
}

/** Returns a change that overwrites parts of the state. */
export function replace(part: Partial<RoomState>, changes: RoomOutcome['changes']) {
  return (state: RoomState): RoomOutcome => ({ state: { ...state, ...part }, changes })
}

/** Records the events that rooms would broadcast: one line per event, in order. */
export function recordBroadcasts(events: EventBus): string[] {
  const recorded: string[] = []
  events.on('memberJoined', ({ member }) => void recorded.push(`joined: ${member.id}`))
  events.on('membersChanged', () => void recorded.push('members'))
  events.on('userRemoved', ({ userId }) => void recorded.push(`removed: ${userId}`))
  return recorded
}

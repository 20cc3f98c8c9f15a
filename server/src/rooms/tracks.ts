import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { AddedBy } from '@earshot/core/room/room-state'
import type { SessionUser } from '../auth/session.ts'
import type { LibraryRule } from '../accounts/library-access.ts'
import type { Db } from '../db/database.ts'
import { findTracks } from '../db/tracks.ts'

export interface TrackParts {
  db: Db
  libraryRule: LibraryRule
}

/** @throws AppError track_not_found, library_closed */
export async function requireTrack(parts: TrackParts, trackId: string, userId: string): Promise<Track> {
  const trackOf = await findAllowed(parts, [trackId], userId)
  return trackOf(trackId)
}

/**
 * Resolves to the stored tracks of these ids, in their order, repeated ids included. Clients name tracks only by id:
 * the server plays only tracks that it found itself, and those of the library for users who may use it.
 * @throws AppError track_not_found if one is unknown, library_closed
 */
export async function requireTracks(parts: TrackParts, trackIds: string[], userId: string): Promise<Track[]> {
  const trackOf = await findAllowed(parts, trackIds, userId)
  return trackIds.map(trackOf)
}

async function findAllowed(
  { db, libraryRule }: TrackParts,
  trackIds: string[],
  userId: string,
): Promise<(trackId: string) => Track> {
  const known = await findTracks(db, trackIds)
  const allowed = await libraryRule.onlyAllowed(userId, [...known.values()])
  if (allowed.length < known.size) throw new AppError('library_closed')
  return (trackId) => {
    const track = known.get(trackId)
    if (!track) throw new AppError('track_not_found')
    return track
  }
}

/** Returns the user as a room remembers them for the tracks that they add. */
export function toAddedBy({ id, username }: Pick<SessionUser, 'id' | 'username'>): AddedBy {
  return { id, username }
}

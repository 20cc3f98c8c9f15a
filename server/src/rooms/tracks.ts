import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { SessionUser } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { findTracks } from '../db/tracks.ts'

/**
 * Resolves to the stored tracks of these ids, in their order, repeated ids included. Clients name tracks only by id:
 * the server plays only tracks that it found itself.
 * @throws AppError track_not_found if one is unknown
 */
export async function requireTracks(db: Db, trackIds: string[]): Promise<Track[]> {
  const known = await findTracks(db, trackIds)
  return trackIds.map((trackId) => {
    const track = known.get(trackId)
    if (!track) throw new AppError('track_not_found')
    return track
  })
}

/** @throws AppError track_not_found */
export async function requireTrack(db: Db, trackId: string): Promise<Track> {
  const [track] = await requireTracks(db, [trackId])
  if (!track) throw new AppError('track_not_found')
  return track
}

/** Returns the fields of a command that adds tracks for a user. */
export function toAdder({ id, username }: Pick<SessionUser, 'id' | 'username'>): {
  addedBy: string
  addedByName: string
} {
  return { addedBy: id, addedByName: username }
}

import type { LibraryAccess } from '@earshot/core/protocol/admin-calls'
import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import { findRoomWithTrack, findRoomWithTrackAhead } from '../db/tracks.ts'
import { readLibraryAccess } from '../db/users.ts'

/**
 * Decides who may use the music library (LIBRARY_ACCESS). Whoever may not still hears what a room of theirs plays: its
 * current track, and the next one, which players load ahead.
 */
export interface LibraryRule {
  /** @throws AppError library_closed where the user may not search and browse the library */
  require(userId: string): Promise<void>
  /** Returns those of the tracks that the user may add to a room. */
  onlyAllowed(userId: string, tracks: Track[]): Promise<Track[]>
  /** Finds a room for which the user may have the audio of a track, as its member; null where there is none. */
  findRoomToHear(userId: string, trackId: string): Promise<string | null>
}

export function createLibraryRule(db: Db, access: LibraryAccess): LibraryRule {
  const mayUse = async (userId: string): Promise<boolean> =>
    access === 'everyone' || (await readLibraryAccess(db, userId))
  return {
    async require(userId) {
      if (!(await mayUse(userId))) throw new AppError('library_closed')
    },
    async onlyAllowed(userId, tracks) {
      const others = tracks.filter(({ source }) => source !== 'library')
      const mayAddAll = others.length === tracks.length || (await mayUse(userId))
      return mayAddAll ? tracks : others
    },
    async findRoomToHear(userId, trackId) {
      const isFree = await mayUse(userId)
      return isFree ? findRoomWithTrack(db, userId, trackId) : findRoomWithTrackAhead(db, userId, trackId)
    },
  }
}

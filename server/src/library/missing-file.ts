import { opendir } from 'node:fs/promises'
import type { Track } from '@earshot/core/protocol/entities'
import type { Db } from '../db/database.ts'
import { findLibraryPath } from '../db/library-files.ts'
import { resolveMusicPath } from './scan/music-folder.ts'

/** Whether a track's file is gone from the music folder. False for tracks of other sources. */
export type IsFileMissing = (track: Pick<Track, 'id' | 'source'>) => Promise<boolean>

/** Creates the check. While the folder is unreadable or empty, as where its disk is not mounted, no file is missing. */
export function createMissingFileCheck(db: Db, musicDir: string): IsFileMissing {
  return async ({ id, source }) => {
    if (source !== 'library') return false
    const file = await findLibraryPath(db, id)
    if (!file) return false
    if (!file.isMissing && (await resolveMusicPath(musicDir, file.path))) return false
    return hasEntries(musicDir)
  }
}

async function hasEntries(folder: string): Promise<boolean> {
  try {
    await using entries = await opendir(folder)
    return (await entries.read()) !== null
  } catch {
    return false
  }
}

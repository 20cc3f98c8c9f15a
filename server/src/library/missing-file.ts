import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Track } from '@earshot/core/protocol/entities'
import type { Db } from '../db/database.ts'
import { findLibraryPath } from '../db/library-files.ts'
import { callDisk } from './disk-calls.ts'
import { fileErrorCode, folderOf, isGone, resolveMusicPath } from './scan/music-folder.ts'
import { findFile } from './serving/open-files.ts'

/** Whether a track's file is gone from the music folder. False for tracks of other sources. */
export type IsFileMissing = (track: Pick<Track, 'id' | 'source'>) => Promise<boolean>

/**
 * Creates the check. No file is missing while the folder that it should be in is empty or unreadable, as where its disk
 * is not mounted: queues would be emptied that nobody can restore.
 */
export function createMissingFileCheck(db: Db, musicDir: string): IsFileMissing {
  return async ({ id, source }) => {
    if (source !== 'library') return false
    const file = await findLibraryPath(db, id)
    if (!file) return false
    const place = file.isMissing ? null : await resolveMusicPath(musicDir, file.path)
    if (place && (await findFile(join(place.root, place.path)))) return false
    return !(await mayBeUnmounted(musicDir, file.path))
  }
}

/** Whether the nearest folder of a path that exists is empty or cannot be read, or the music folder itself is gone. */
async function mayBeUnmounted(musicDir: string, path: string): Promise<boolean> {
  const folder = folderOf(path)
  const state = await folderState(join(musicDir, folder))
  if (state !== 'gone') return state === 'empty'
  return folder === '' || mayBeUnmounted(musicDir, folder)
}

/** Returns whether a folder has entries, without reading them all; `empty` also where it cannot be read. */
export async function folderState(folder: string): Promise<'filled' | 'empty' | 'gone'> {
  try {
    return await callDisk(() => readState(folder))
  } catch (error) {
    return isGone(fileErrorCode(error)) ? 'gone' : 'empty'
  }
}

async function readState(folder: string): Promise<'filled' | 'empty'> {
  await using entries = await opendir(folder)
  return (await entries.read()) === null ? 'empty' : 'filled'
}

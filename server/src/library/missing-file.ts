import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import type { Db } from '../db/database.ts'
import { findLibraryPath } from '../db/catalogue/library-files.ts'
import { callDisk } from './disk-calls.ts'
import { fileErrorCode, folderOf, isGone, isUnreadable, resolveMusicPath } from './scan/music-folder.ts'
import { findFile } from './serving/open-files.ts'

/** The state of a track's file; `unmounted`: its disk is not mounted, it seems. Tracks of other sources are there. */
export type FileState = 'there' | 'gone' | 'unreadable' | 'unmounted'

export type FindFileState = (track: Pick<Track, 'id' | 'source'>) => Promise<FileState>

/** A disk that is mounted where it is needed, or a folder that a program writes anew, is back by then. */
const folderBackWithinMs = 120_000

/**
 * Creates the check. No file is gone while the folder that it should be in is empty or unreadable, as where its disk
 * is not mounted, nor so soon after a whole folder of the music folder disappeared: queues would be emptied that nobody can
 * restore.
 */
export function createFileCheck(db: Db, musicDir: string, clock: Pick<Clock, 'now'>): FindFileState {
  return async ({ id, source }) => {
    if (source !== 'library') return 'there'
    const file = await findLibraryPath(db, id)
    if (!file) return 'there'
    const place = file.missingSince !== null ? null : await resolveMusicPath(musicDir, file.path)
    const found = place && (await findFile(join(place.root, place.path)))
    if (found) return (await canRead(found.path)) ? 'there' : 'unreadable'
    if (await mayBeUnmounted(musicDir, file.path)) return 'unmounted'
    const missedForMs = clock.now() - (file.missingSince ?? clock.now())
    return missedForMs < folderBackWithinMs && (await isTopFolderGone(musicDir, file.path))
      ? 'unmounted'
      : 'gone'
  }
}

/** Whether the first byte of a file can be read. One that is gone by now can: the next check finds that. */
async function canRead(path: string): Promise<boolean> {
  try {
    await callDisk(async () => {
      await using file = await open(path)
      await file.read(Buffer.alloc(1), 0, 1, 0)
    })
    return true
  } catch (error) {
    return !isUnreadable(error)
  }
}

/** Whether the nearest folder of a path that exists is empty or cannot be read, or the music folder itself is gone. */
async function mayBeUnmounted(musicDir: string, path: string): Promise<boolean> {
  const folder = folderOf(path)
  const state = await folderState(join(musicDir, folder))
  if (state !== 'gone') return state === 'empty'
  return folder === '' || mayBeUnmounted(musicDir, folder)
}

/** Whether the folder of the music folder that a path is in is gone, with all that was in it. */
async function isTopFolderGone(musicDir: string, path: string): Promise<boolean> {
  const [top = '', ...below] = path.split('/')
  return below.length > 0 && (await folderState(join(musicDir, top))) === 'gone'
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

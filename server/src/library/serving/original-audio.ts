import { join } from 'node:path'
import { resolveMusicPath } from '../scan/music-folder.ts'
import type { ByteSource } from './byte-source.ts'
import { findFile, type FoundFile, isSameFile, type OpenFiles } from './open-files.ts'

/** The files of the music folder, as they are. */
export interface OriginalAudio {
  /** Finds a file by its path in the music folder; null where there is none, or a link leads out of the folder. */
  find(path: string): Promise<OriginalFile | null>
}

export type OriginalFile = ByteSource & FoundFile

const maxKnown = 1_000

/** Resolves a path once for as long as the same file is there. */
export function createOriginalAudio(musicDir: string, openFiles: OpenFiles): OriginalAudio {
  const known = new Map<string, OriginalFile>()

  const resolve = async (path: string): Promise<OriginalFile | null> => {
    const place = await resolveMusicPath(musicDir, path)
    const file = place && (await findFile(join(place.root, place.path)))
    if (!file) return null
    const { inode, size, modifiedMs } = file
    const tag = [inode, size, Math.round(modifiedMs * 1_000)].map((part) => part.toString(36)).join('-')
    return { ...file, tag, read: (start, end) => openFiles.read(file, start, end) }
  }
  const remember = (path: string, file: OriginalFile): void => {
    known.delete(path)
    known.set(path, file)
    for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest)
  }

  return {
    async find(path) {
      const before = known.get(path)
      const now = before && (await findFile(join(musicDir, path)))
      if (before && now && isSameFile(before, now)) return before
      const file = await resolve(path)
      if (file) remember(path, file)
      else known.delete(path)
      return file
    },
  }
}

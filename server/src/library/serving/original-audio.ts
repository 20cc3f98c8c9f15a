import { join } from 'node:path'
import { BoundedMap } from '../../bounded-map.ts'
import { resolveMusicPath } from '../scan/music-folder.ts'
import type { ByteSource } from './byte-source.ts'
import { findFile, type FoundFile, isSameFile, type OpenFiles } from './open-files.ts'

/** The files of the music folder, as they are. */
export interface OriginalAudio {
  /**
   * Finds a file by its path in the music folder; null where there is none, or a link leads out of the folder. Takes what
   * it found at most `maxAgeMs` ago, without asking the file system.
   */
  find(path: string, maxAgeMs?: number): Promise<OriginalFile | null>
}

export type OriginalFile = ByteSource & FoundFile

interface Known {
  file: OriginalFile
  checkedMs: number
}

const maxKnown = 1_000

/** Resolves a path once for as long as the same file is there. `now` counts ms from any instant. */
export function createOriginalAudio(
  musicDir: string,
  openFiles: OpenFiles,
  now = () => performance.now(),
): OriginalAudio {
  const known = new BoundedMap<string, Known>(maxKnown)

  const resolve = async (path: string): Promise<OriginalFile | null> => {
    const place = await resolveMusicPath(musicDir, path)
    const file = place && (await findFile(join(place.root, place.path)))
    if (!file) return null
    const { inode, size, modifiedMs } = file
    const tag = [inode, size, Math.round(modifiedMs * 1_000)].map((part) => part.toString(36)).join('-')
    const read: ByteSource['read'] = (start, end, target) =>
      openFiles.read(file, start, end, target).catch((error: unknown) => {
        // Replaced since the last check: the next request finds the new file.
        known.delete(path)
        throw error
      })
    return { ...file, tag, read }
  }

  return {
    async find(path, maxAgeMs = 0) {
      const before = known.get(path)
      const checkedMs = now()
      if (before && checkedMs - before.checkedMs < maxAgeMs) return before.file
      const current = before && (await findFile(join(musicDir, path)))
      const isSame = before && current && isSameFile(before.file, current)
      const file = isSame ? before.file : await resolve(path)
      if (file) known.set(path, { file, checkedMs })
      else known.delete(path)
      return file
    },
  }
}

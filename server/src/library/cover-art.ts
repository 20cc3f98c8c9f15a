import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { LibraryFile } from '../db/library-files.ts'
import { imageTypeOf } from './file-types.ts'
import { readCover, UnreadableAudioError } from './scan/audio-tags.ts'
import { resolveMusicPath } from './scan/music-folder.ts'

/** An image file that is safe to serve. `path` is relative to `root`; the type comes from its bytes. */
export interface CoverFile {
  root: string
  path: string
  mimeType: string
  /** Whether the track will always have this cover. */
  isImmutable: boolean
}

export interface CoverArt {
  /** Finds the cover of a file; null where it has none, or none any more. */
  find(file: LibraryFile): Promise<CoverFile | null>
}

const extractionsAtOnce = 4

/**
 * Finds the covers of library tracks. Covers in audio files are extracted on first use and cached in `coversDir` by
 * track id, which is a hash of the file. That folder can be emptied at any time.
 */
export function createCoverArt({ musicDir, coversDir }: { musicDir: string; coversDir: string }): CoverArt {
  const limit = pLimit(extractionsAtOnce)
  const extracting = new Map<string, Promise<void>>()

  const extractOnce = (file: LibraryFile): Promise<void> => {
    const running = extracting.get(file.track_id)
    if (running) return running
    const extraction = limit(() => extractCover(musicDir, coversDir, file)).finally(() =>
      extracting.delete(file.track_id),
    )
    extracting.set(file.track_id, extraction)
    return extraction
  }

  return {
    async find(file) {
      if (file.has_art === 0) return null
      if (file.cover_path !== null) return findBeside(musicDir, file.cover_path)
      const cached = await findCached(coversDir, file.track_id)
      if (cached) return cached
      await extractOnce(file)
      return findCached(coversDir, file.track_id)
    },
  }
}

async function findBeside(musicDir: string, coverPath: string): Promise<CoverFile | null> {
  const found = await resolveMusicPath(musicDir, coverPath)
  const mimeType = found && (await imageTypeOf(join(found.root, found.path)))
  return found && mimeType ? { ...found, mimeType, isImmutable: false } : null
}

async function findCached(coversDir: string, trackId: string): Promise<CoverFile | null> {
  const mimeType = await imageTypeOf(join(coversDir, trackId))
  return mimeType ? { root: coversDir, path: trackId, mimeType, isImmutable: true } : null
}

/** Writes to a temporary file and renames it, so that no request reads half a cover. */
async function extractCover(musicDir: string, coversDir: string, file: LibraryFile): Promise<void> {
  const found = await resolveMusicPath(musicDir, file.path)
  const cover = found && (await readCoverIfAudio(join(found.root, found.path)))
  if (!cover) return
  await mkdir(coversDir, { recursive: true })
  const draft = join(coversDir, `${file.track_id}.${process.pid}.draft`)
  await writeFile(draft, cover)
  await rename(draft, join(coversDir, file.track_id))
}

async function readCoverIfAudio(path: string): Promise<Uint8Array | null> {
  try {
    return await readCover(path)
  } catch (error) {
    if (error instanceof UnreadableAudioError) return null
    throw error
  }
}

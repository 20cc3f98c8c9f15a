import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LibraryFile } from '../db/library-files.ts'
import { readCover, UnreadableAudioError } from './scan/audio-tags.ts'
import { createConcurrencyLimit } from '../async/concurrency-limit.ts'
import { imageTypeOf } from './image-type.ts'
import { resolveMusicPath } from './music-path.ts'

/** An image file that is safe to serve: `path` is relative to `root`, and the type is what its bytes say. */
export interface CoverFile {
  root: string
  path: string
  mimeType: string
  /** Whether it can never be another for the same track. */
  isImmutable: boolean
}

export interface CoverArt {
  /** The cover of a file, or null where it has none (any more). */
  find(file: LibraryFile): Promise<CoverFile | null>
}

const extractionsAtOnce = 4

/**
 * The covers of the library. Those in audio files are taken out when they are first asked for and kept in
 * `coversDir` under the id of their track, which is a hash of the file; that folder can be emptied at any time.
 */
export function createCoverArt({ musicDir, coversDir }: { musicDir: string; coversDir: string }): CoverArt {
  const limit = createConcurrencyLimit(extractionsAtOnce)
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
      const kept = await findKept(coversDir, file.track_id)
      if (kept) return kept
      await extractOnce(file)
      return findKept(coversDir, file.track_id)
    },
  }
}

async function findBeside(musicDir: string, coverPath: string): Promise<CoverFile | null> {
  const found = await resolveMusicPath(musicDir, coverPath)
  const mimeType = found && (await imageTypeOf(join(found.root, found.path)))
  return found && mimeType ? { ...found, mimeType, isImmutable: false } : null
}

async function findKept(coversDir: string, trackId: string): Promise<CoverFile | null> {
  const mimeType = await imageTypeOf(join(coversDir, trackId))
  return mimeType ? { root: coversDir, path: trackId, mimeType, isImmutable: true } : null
}

/** Written beside its place and moved there whole, so that nobody is ever served half a cover. */
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

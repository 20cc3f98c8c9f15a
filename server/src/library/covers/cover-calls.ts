import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@earshot/core/limits'
import { coverMaxBytes } from '../file-types.ts'
import { readCover } from '../scan/audio-tags.ts'
import { UnreadableAudioError } from '../scan/unreadable-audio.ts'
import { decodeImage, encodeWebp } from '../../images/image-codecs.ts'
import { readDimensions } from '../../images/image-dimensions.ts'
import { shrinkImage } from '../../images/shrink-image.ts'

/** Reads covers and makes them smaller. The server calls it in a thread of its own. */
export type CoverCalls = ReturnType<typeof createCoverCalls>

export interface CoverSource {
  /** An audio file with a cover in it, or an image: an absolute path. */
  path: string
  isAudio: boolean
  /** The name of the files in the cache. */
  key: string
}

/** `unsupported`: only the original can be served. `refused`: too large for browsers as well. */
export type RenderResult = 'rendered' | 'unsupported' | 'refused'

export interface CoverCallsOptions {
  coversDir: string
  /** When the cache is larger, in bytes, its oldest files are removed. */
  maxBytes: number
}

/** A file of the cache: the original, or a size of it. */
export const coverFileName = (key: string, size: number | null): string =>
  size === null ? key : `${key}-${size}`

/** Decoded they take 4 bytes a pixel, twice: in the decoder and after it. */
const decodedMaxPixels = 16_000_000
/** A phone needs 160 MB for as many. */
const servedMaxPixels = 40_000_000

export function createCoverCalls({ coversDir, maxBytes }: CoverCallsOptions) {
  let cacheBytes: number | null = null

  /** Writes to a temporary file and renames it, so that no request reads half a cover. */
  const write = async (name: string, content: Uint8Array): Promise<void> => {
    await mkdir(coversDir, { recursive: true })
    const draft = join(coversDir, `${name}.${process.pid}.draft`)
    await writeFile(draft, content)
    await rename(draft, join(coversDir, name))
    cacheBytes = cacheBytes === null ? await sizeOf(coversDir) : cacheBytes + content.length
    if (cacheBytes > maxBytes) cacheBytes = await trim(coversDir, maxBytes * 0.9)
  }

  return {
    /** Copies the cover in an audio file into the cache, if there is one. */
    async extract({ path, key }: CoverSource): Promise<void> {
      const cover = await readCoverIfAudio(path)
      if (cover) await write(coverFileName(key, null), cover)
    },
    /** Makes all sizes of a cover: decoding it takes longer than everything else. */
    async render({ path, isAudio, key }: CoverSource): Promise<RenderResult> {
      const bytes = isAudio ? await readCoverIfAudio(path) : await readImage(path)
      if (!bytes) return 'unsupported'
      const { width, height } = readDimensions(bytes) ?? { width: 0, height: 0 }
      if (width * height > servedMaxPixels) return 'refused'
      if (width * height === 0 || width * height > decodedMaxPixels) return 'unsupported'
      // A damaged image stays damaged; other failures may pass.
      let pixels = await decodeImage(bytes).catch(() => null)
      if (!pixels) return 'unsupported'
      for (const size of limits.coverSizesPx.toSorted((a, b) => b - a)) {
        pixels = shrinkImage(pixels, size)
        await write(coverFileName(key, size), await encodeWebp(pixels))
      }
      return 'rendered'
    },
  }
}

async function readImage(path: string): Promise<Uint8Array | null> {
  const { size } = await stat(path)
  return size > coverMaxBytes ? null : readFile(path)
}

async function readCoverIfAudio(path: string): Promise<Uint8Array | null> {
  try {
    return await readCover(path)
  } catch (error) {
    if (error instanceof UnreadableAudioError) return null
    throw error
  }
}

interface CachedFile {
  path: string
  size: number
  modifiedMs: number
}

async function listFiles(folder: string): Promise<CachedFile[]> {
  const files: CachedFile[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile()) files.push({ path, size: found.size, modifiedMs: found.mtimeMs })
  }
  return files
}

async function sizeOf(folder: string): Promise<number> {
  return (await listFiles(folder)).reduce((sum, file) => sum + file.size, 0)
}

/** Removes the oldest files until the rest has `maxBytes`. Returns their size. */
async function trim(folder: string, maxBytes: number): Promise<number> {
  const files = await listFiles(folder)
  let total = files.reduce((sum, file) => sum + file.size, 0)
  for (const file of files.toSorted((a, b) => a.modifiedMs - b.modifiedMs)) {
    if (total <= maxBytes) break
    await rm(file.path, { force: true })
    total -= file.size
  }
  return total
}

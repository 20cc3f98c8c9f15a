import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import { BoundedMap } from '../../bounded-map.ts'
import { createRunOnce } from '../../async/run-once.ts'
import { openWorker } from '../../async/worker-calls.ts'
import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import { imageTypeOf } from '../../images/image-types.ts'
import { coverMaxBytes } from '../file-types.ts'
import { resolveMusicPath } from '../scan/music-folder.ts'
import { type CoverCalls, coverFileName, type CoverSource, type RenderResult } from './cover-calls.ts'

/** An image file that is safe to serve. `path` is relative to `root`; the type comes from its bytes. */
export interface CoverFile {
  root: string
  path: string
  mimeType: string
}

type CoverSize = (typeof limits.coverSizesPx)[number]

export interface CoverArt {
  /**
   * Finds the cover of a file; null where it has none, or none any more. With a size, one whose longer side has at most
   * so many pixels, if the image can be shrunk, and otherwise the original, unless that is large.
   */
  find(file: LibraryFile, size: CoverSize | null): Promise<CoverFile | null>
  close(): Promise<void>
}

interface CoverArtOptions {
  musicDir: string
  coversDir: string
  logger: Logger
  maxBytes?: number
  now?: () => number
}

const cacheMaxBytes = 256 * 1024 * 1024
const workerOptions = { timeoutMs: 15_000, idleMs: 5_000, maxHeapMb: 128 }
/** Of an original in place of a size: a page has dozens of covers. */
const wholeMaxBytes = 2 * 1024 * 1024
/** Further requests get the original. */
const waitingMax = 200
const failuresMax = 1_000
/** A busy machine or a full disk may be the cause. */
const retryAfterMs = 60_000

interface Failure {
  result: RenderResult
  untilMs: number
}

/**
 * Finds the covers of library tracks. They are read and shrunk on first use, in a thread of their own, one at a time,
 * and cached in `coversDir` by content. That folder can be emptied at any time.
 */
export function createCoverArt(options: CoverArtOptions): CoverArt {
  const { musicDir, coversDir, logger, maxBytes = cacheMaxBytes, now = () => performance.now() } = options
  const module = new URL('./cover-worker.ts', import.meta.url)
  const worker = openWorker<CoverCalls>(module, { ...workerOptions, data: { coversDir, maxBytes } })
  const failureLog = createFailureLog(logger)
  const runOnce = createRunOnce<void>(waitingMax)
  /** Covers that could not be shrunk, or found in their file, so that they are not tried again, or not soon. */
  const failures = new BoundedMap<string, Failure>(failuresMax)

  const findOriginal = async (file: LibraryFile): Promise<CoverFile | null> => {
    if (file.cover_path !== null) return findBeside(musicDir, file.cover_path)
    const name = coverFileName(keyOf(file), null)
    const cached = await findCached(coversDir, name)
    if (cached) return cached
    const source = await sourceOf(musicDir, file)
    if (!source) return null
    if ((failures.get(`${name} original`)?.untilMs ?? 0) > now()) return null
    const run = runOnce(name, () => worker.call('extract', source))
    await run?.catch((error: unknown) =>
      failureLog.add(error, file.path, 'Could not read a cover; it is not shown'),
    )
    const extracted = await findCached(coversDir, name)
    const failure: Failure = { result: 'unsupported', untilMs: now() + retryAfterMs }
    if (!extracted && run) failures.set(`${name} original`, failure)
    return extracted
  }
  const render = async (file: LibraryFile): Promise<void> => {
    const key = keyOf(file)
    const source = await sourceOf(musicDir, file)
    if (!source) return
    try {
      const result = await worker.call('render', source)
      if (result !== 'rendered') failures.set(key, { result, untilMs: Infinity })
    } catch (error) {
      failures.set(key, { result: 'unsupported', untilMs: now() + retryAfterMs })
      failureLog.add(error, source.path, 'Could not shrink a cover; its original is shown')
    }
  }

  return {
    async find(file, size) {
      if (file.has_art === 0) return null
      const key = keyOf(file)
      if (size === null) return findOriginal(file)
      const name = coverFileName(key, size)
      const cached = await findCached(coversDir, name)
      if (cached) return cached
      if ((failures.get(key)?.untilMs ?? 0) <= now()) await runOnce(`${key} sizes`, () => render(file))
      if (failures.get(key)?.result === 'refused') return null
      const shrunk = await findCached(coversDir, name)
      if (shrunk) return shrunk
      const original = await findOriginal(file)
      return original && (await hasAtMost(original, wholeMaxBytes)) ? original : null
    },
    async close() {
      failureLog.stop()
      await worker.close()
    },
  }
}

/** Logs failures until it is stopped: while the server closes, covers fail without anything being wrong. */
function createFailureLog(logger: Logger) {
  let isStopped = false
  return {
    add(error: unknown, path: string, message: string): void {
      if (!isStopped) logger.warn({ err: error, path }, message)
    },
    stop: () => void (isStopped = true),
  }
}

/** Returns the name of a cover in the cache. The tracks of a folder share its image. */
function keyOf({ fingerprint, cover_path: path, cover_version: version }: LibraryFile): string {
  if (path === null) return version || fingerprint
  return createHash('sha256').update(`${path}\n${version}`).digest('base64url').slice(0, fingerprint.length)
}

async function sourceOf(musicDir: string, file: LibraryFile): Promise<CoverSource | null> {
  const found = await resolveMusicPath(musicDir, file.cover_path ?? file.path)
  return found && { path: join(found.root, found.path), isAudio: file.cover_path === null, key: keyOf(file) }
}

async function findBeside(musicDir: string, coverPath: string): Promise<CoverFile | null> {
  const found = await resolveMusicPath(musicDir, coverPath)
  const mimeType = found && (await imageTypeOf(join(found.root, found.path)))
  const cover = found && mimeType ? { ...found, mimeType } : null
  return cover && (await hasAtMost(cover, coverMaxBytes)) ? cover : null
}

/** False where the file is gone. */
async function hasAtMost({ root, path }: CoverFile, bytes: number): Promise<boolean> {
  const found = await stat(join(root, path)).catch(() => null)
  return found !== null && found.size <= bytes
}

async function findCached(coversDir: string, name: string): Promise<CoverFile | null> {
  const mimeType = await imageTypeOf(join(coversDir, name))
  return mimeType ? { root: coversDir, path: name, mimeType } : null
}

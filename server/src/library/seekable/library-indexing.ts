import { hourMs } from '@earshot/core/clock'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createCoalescedRun } from '../../async/coalesced-run.ts'
import { workerNiceness } from '../../async/worker-calls.ts'
import type { Db } from '../../db/database.ts'
import { listPresentFiles } from '../../db/catalogue/library-files.ts'
import type { OriginalAudio } from '../serving/original-audio.ts'
import { openIndexWorker } from './seekable-audio.ts'
import { isIndexable, indexNameOf } from './track-index.ts'

/** Indexes the long files of the library in the background, so that their first listener need not wait. */
export interface LibraryIndexing {
  /** Looks for files without an index. Resolves when they have one. */
  request(): Promise<void>
  /** Ends it. What is not indexed yet is found by the next request, also of another start. */
  close(): Promise<void>
}

interface LibraryIndexingParts {
  db: Db
  indexDir: string
  originalAudio: OriginalAudio
  logger: Logger
  limits?: Partial<typeof indexingLimits>
}

export const indexingLimits = {
  /** Smaller files are indexed within tenths of a second, when somebody first listens to them. */
  minBytes: 16 * 1024 * 1024,
  /** The largest files, which take longest. */
  maxFiles: 20_000,
  /** An index without a track is deleted when it is this old: a newer one may be of a file that is not scanned yet. */
  orphanMs: hourMs,
  /**
   * Rests this many times as long as it took to go through the library. While somebody copies or deletes an album after
   * the other, there are several scans a second.
   */
  restFactor: 20,
}

interface MissingIndex {
  path: string
  indexName: string
  size: number
}

/** Creates it; nothing runs before the first request. Files are indexed one at a time, and half of the time none is. */
export function createLibraryIndexing(parts: LibraryIndexingParts): LibraryIndexing {
  const { indexDir, originalAudio, logger } = parts
  const limits = { ...indexingLimits, ...parts.limits }
  const closing = new AbortController()
  const { signal } = closing
  const worker = openIndexWorker(workerNiceness)

  const indexFile = async ({ path, indexName }: MissingIndex): Promise<void> => {
    const startedMs = performance.now()
    try {
      const original = await originalAudio.find(path)
      // A file that has changed since the scan is indexed after the next one.
      if (!original || indexNameOf(path, original) !== indexName) return
      await worker.call('writeIndex', { path: original.path, target: join(indexDir, indexName) })
    } catch (error) {
      if (!signal.aborted)
        logger.warn({ err: error, path }, 'Could not index this file; its first listener waits')
    }
    await pause(performance.now() - startedMs, signal)
  }
  let rest = Promise.resolve()
  const run = createCoalescedRun(async () => {
    try {
      await rest
      if (signal.aborted) return
      const startedMs = performance.now()
      const missing = await compare(parts, limits, signal)
      rest = pause(limits.restFactor * (performance.now() - startedMs), signal)
      for (const file of missing) {
        if (signal.aborted) return
        await indexFile(file)
      }
    } catch (error) {
      if (!signal.aborted)
        logger.warn({ err: error }, 'Could not index the library; trying again after a scan')
    }
  })

  return {
    request: () => run.request(),
    async close() {
      closing.abort()
      await worker.close()
      await run.idle()
    },
  }
}

/** Resolves after `ms`, or once `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

/** Compares the indexes with the library: deletes those of tracks that are gone, and returns what lacks one. */
async function compare(
  { db, indexDir }: LibraryIndexingParts,
  { minBytes, maxFiles, orphanMs }: typeof indexingLimits,
  signal: AbortSignal,
): Promise<MissingIndex[]> {
  await mkdir(indexDir, { recursive: true })
  const orphans = new Set(await readdir(indexDir))
  const missing: MissingIndex[] = []
  let stored = 0
  for await (const files of listPresentFiles(db)) {
    if (signal.aborted) return []
    for (const { path, size, modified_at: modifiedMs } of files) {
      if (!isIndexable(path)) continue
      const indexName = indexNameOf(path, { size, modifiedMs })
      if (orphans.delete(indexName)) stored += 1
      else if (size >= minBytes) missing.push({ path, indexName, size })
    }
  }
  for (const name of orphans) await deleteOld(join(indexDir, name), orphanMs)
  return missing.toSorted((a, b) => b.size - a.size).slice(0, Math.max(0, maxFiles - stored))
}

async function deleteOld(path: string, ageMs: number): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found && Date.now() - found.mtimeMs >= ageMs) await rm(path, { force: true })
}

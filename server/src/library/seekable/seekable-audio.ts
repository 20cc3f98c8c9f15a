import { minuteMs } from '@earshot/core/clock'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createRunOnce } from '../../async/run-once.ts'
import { openWorker, type WorkerCalls } from '../../async/worker-calls.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { ByteSource } from '../serving/byte-source.ts'
import { findFile, type FoundFile, type OpenFiles } from '../serving/open-files.ts'
import type { IndexCalls, IndexWorkerData } from './index-worker.ts'
import { createMp4File, type Index } from './mp4-file.ts'
import { type IndexTable, isIndexable, type NoIndex, indexNameOf } from './track-index.ts'

/** A library track as a fragmented MP4 file, which is put together as it is read: nothing is encoded or stored twice. */
export interface SeekableAudio {
  /**
   * Returns the MP4 file of a file, named by its path in the music folder, indexing it first if needed; null where it has
   * none and is played as it is.
   */
  find(path: string, original: FoundFile): Promise<ByteSource | null>
  close(): Promise<void>
}

const maxOpenIndexes = 200
const workerOptions = {
  /** Longer than any file of 4 GB takes from a slow disk. */
  timeoutMs: 10 * minuteMs,
  idleMs: 5_000,
  maxHeapMb: 256,
}
/** Before the other worker threads: somebody waits for this one. */
const listenerNiceness = 4
/** A full disk or a busy machine may be the cause of a failure. */
const retryAfterMs = minuteMs
/** Each takes tenths of a second. Behind more, a track that nobody has heard before would start late. */
const waitingMax = 20

/**
 * Creates the indexes that are missing when somebody first listens, one at a time in a worker thread, and keeps them in
 * `indexDir`. That folder can be emptied at any time. While many files wait, further ones are played as they are.
 */
export function createSeekableAudio(parts: {
  indexDir: string
  openFiles: OpenFiles
  logger: Logger
}): SeekableAudio {
  const { indexDir, openFiles, logger } = parts
  const found = new BoundedMap<string, Promise<ByteSource | null>>(maxOpenIndexes)
  const worker = openIndexWorker(listenerNiceness)
  let isClosing = false
  const runOnce = createRunOnce<void>(waitingMax)

  const retryLater = (name: string): void => void setTimeout(() => found.delete(name), retryAfterMs).unref()
  const findIndex = async (path: string, original: FoundFile, name: string): Promise<Index | null> => {
    const target = join(indexDir, name)
    try {
      const stored = await readIndex(target)
      if (stored !== 'missing') return stored
      const run = runOnce(target, async () => {
        // Another request may have waited for the same file.
        if ((await readIndex(target)) === 'missing')
          await worker.call('writeIndex', { path: original.path, target })
      })
      if (!run) {
        retryLater(name)
        return null
      }
      await run
      const written = await readIndex(target)
      if (written !== null && written !== 'missing') return written
      logger.info({ path }, 'This file has no index; players get it as it is')
    } catch (error) {
      if (!isClosing) logger.error({ err: error, path }, 'Indexing failed; players get the file as it is')
      retryLater(name)
    }
    return null
  }
  const findMp4 = async (path: string, original: FoundFile, name: string): Promise<ByteSource | null> => {
    const index = await findIndex(path, original, name)
    if (!index) return null
    const mp4 = createMp4File(name, index, original, openFiles)
    const read: ByteSource['read'] = (start, end, target) =>
      mp4.read(start, end, target).catch((error: unknown) => {
        // The index may have been deleted: the next request makes it again.
        found.delete(name)
        throw error
      })
    return { ...mp4, read }
  }

  return {
    async find(path, original) {
      if (!isIndexable(path)) return null
      const name = indexNameOf(path, original)
      const mp4 = found.get(name) ?? findMp4(path, original, name)
      found.set(name, mp4)
      return mp4
    },
    async close() {
      isClosing = true
      await worker.close()
      await Promise.allSettled(found.values())
    },
  }
}

/** Opens a thread that indexes files, at a priority. */
export function openIndexWorker(niceness: number): WorkerCalls<IndexCalls> {
  const data: IndexWorkerData = { niceness }
  return openWorker<IndexCalls>(new URL('index-worker.ts', import.meta.url), { ...workerOptions, data })
}

/** Resolves to null for a file that is known to have no index. */
async function readIndex(path: string): Promise<Index | null | 'missing'> {
  try {
    await using handle = await open(path)
    const length = (await readFully(handle, 0, 4)).readUInt32BE(0)
    const table = JSON.parse((await readFully(handle, 4, length)).toString()) as IndexTable | NoIndex
    if ('reason' in table) return null
    const file = await findFile(path)
    return file ? { ...table, file, bytesAt: 4 + length } : 'missing'
  } catch {
    return 'missing'
  }
}

async function readFully(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
  if (bytesRead < length) throw new Error('The index is incomplete')
  return buffer
}

import { minuteMs } from '@earshot/core/clock'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { createRunOnce } from '../../async/run-once.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { ByteSource } from '../serving/byte-source.ts'
import { findFile, type FoundFile, type OpenFiles } from '../serving/open-files.ts'
import type { IndexTask } from './index-worker.ts'
import { createMp4File, type Index } from './mp4-file.ts'
import { type IndexTable, isIndexable, type NoIndex, tagOf } from './track-index.ts'

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
/** Longer than any file of 4 GB takes from a slow disk. */
const indexTimeoutMs = 10 * minuteMs
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
  const closing = new AbortController()
  const runOnce = createRunOnce<void>(waitingMax)

  const retryLater = (tag: string): void => void setTimeout(() => found.delete(tag), retryAfterMs).unref()
  const findIndex = async (path: string, original: FoundFile, tag: string): Promise<Index | null> => {
    const target = join(indexDir, tag)
    try {
      const stored = await readIndex(target)
      if (stored !== 'missing') return stored
      const run = runOnce(target, async () => {
        // Another request may have waited for the same file.
        if ((await readIndex(target)) === 'missing')
          await runWorker({ path: original.path, target }, closing.signal)
      })
      if (!run) {
        retryLater(tag)
        return null
      }
      await run
      const written = await readIndex(target)
      if (written !== null && written !== 'missing') return written
      logger.info({ path }, 'This file has no index; players get it as it is')
    } catch (error) {
      const isClosing = closing.signal.aborted
      if (!isClosing) logger.error({ err: error, path }, 'Indexing failed; players get the file as it is')
      retryLater(tag)
    }
    return null
  }
  const findMp4 = async (path: string, original: FoundFile, tag: string): Promise<ByteSource | null> => {
    const index = await findIndex(path, original, tag)
    if (!index) return null
    const mp4 = createMp4File(tag, index, original, openFiles)
    const read: ByteSource['read'] = (start, end, target) =>
      mp4.read(start, end, target).catch((error: unknown) => {
        // The index may have been deleted: the next request makes it again.
        found.delete(tag)
        throw error
      })
    return { ...mp4, read }
  }

  return {
    async find(path, original) {
      if (!isIndexable(path)) return null
      const tag = tagOf(path, original)
      const mp4 = found.get(tag) ?? findMp4(path, original, tag)
      found.set(tag, mp4)
      return mp4
    },
    async close() {
      closing.abort()
      await Promise.allSettled(found.values())
    },
  }
}

/** Resolves once the index is written, or why there is none. Rejects if the worker fails. */
async function runWorker(task: IndexTask, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('index-worker.ts', import.meta.url), { workerData: task })
  const stop = (): void => void worker.terminate()
  const timer = setTimeout(stop, indexTimeoutMs)
  signal.addEventListener('abort', stop)
  try {
    await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The indexing worker ended early')))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
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

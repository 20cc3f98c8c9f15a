import { createHash } from 'node:crypto'
import { type FileHandle, open, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { LibraryFile } from '../../db/library-files.ts'
import { resolveMusicPath } from '../scan/music-folder.ts'
import type { IndexAnswer, IndexTask } from './index-worker.ts'
import { type IndexPiece, type IndexTable, indexVersion, isIndexable } from './track-index.ts'

/** A library track as a fragmented MP4 file, which is put together as it is read: nothing is encoded or stored twice. */
export interface SeekableAudio {
  /** Returns a track's MP4 file, indexing it first if needed; null where it has none and is played as it is. */
  find(file: LibraryFile): Promise<Mp4File | null>
  close(): Promise<void>
}

export interface Mp4File {
  size: number
  /** Identifies the bytes, also across restarts. */
  tag: string
  /** Reads bytes from `start` up to, not including, `end`. Rejects if the file is gone. */
  read(start: number, end: number): AsyncGenerator<Buffer, void, undefined>
}

interface Index extends IndexTable {
  path: string
  bytesAt: number
}

const maxIndexes = 5_000
const maxOpenIndexes = 200
/** Longer than any file of 4 GB takes from a slow disk. */
const indexTimeoutMs = 10 * 60_000

/**
 * Creates the indexes of library tracks on first use, one at a time in a worker thread, and keeps them in `indexDir`.
 * That folder can be emptied at any time.
 */
export function createSeekableAudio(parts: {
  musicDir: string
  indexDir: string
  logger: Logger
}): SeekableAudio {
  const { musicDir, indexDir, logger } = parts
  const limit = pLimit(1)
  const found = new Map<string, Promise<Index | null>>()
  const closing = new AbortController()

  const findIndex = async (path: string, file: LibraryFile, tag: string): Promise<Index | null> => {
    const target = join(indexDir, tag)
    const stored = await readIndex(target)
    if (stored) return stored
    try {
      const reason = await limit(() => runWorker({ path, target, maxIndexes }, closing.signal))
      if (reason === null) return await readIndex(target)
      logger.info({ path: file.path, reason }, 'This file has no index; players get it as it is')
    } catch (error) {
      const isClosing = closing.signal.aborted
      if (!isClosing)
        logger.error({ err: error, path: file.path }, 'Indexing failed; players get the file as it is')
    }
    return null
  }

  const findOnce = (path: string, file: LibraryFile, tag: string): Promise<Index | null> => {
    const known = found.get(tag) ?? findIndex(path, file, tag)
    // Last in the map is what was used last.
    found.delete(tag)
    found.set(tag, known)
    for (const oldest of found.keys()) if (found.size > maxOpenIndexes) found.delete(oldest)
    return known
  }

  return {
    async find(file) {
      if (!isIndexable(file.path)) return null
      const place = await resolveMusicPath(musicDir, file.path)
      if (!place) return null
      const path = join(place.root, place.path)
      const tag = tagOf(file)
      const index = await findOnce(path, file, tag)
      return index && { size: index.size, tag, read: (start, end) => readMp4(index, path, start, end) }
    },
    async close() {
      closing.abort()
      await Promise.allSettled(found.values())
    },
  }
}

/** A file that changes gets another size or time, and so another index. */
function tagOf({ path, size, modified_at }: LibraryFile): string {
  const identity = [indexVersion, path, size, modified_at].join('\n')
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/** Resolves to null once the index is written, or to the reason why there is none. Rejects if the worker fails. */
async function runWorker(task: IndexTask, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('index-worker.ts', import.meta.url), { workerData: task })
  const stop = (): void => void worker.terminate()
  const timer = setTimeout(stop, indexTimeoutMs)
  signal.addEventListener('abort', stop)
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', ({ reason }: IndexAnswer) => resolve(reason))
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The indexing worker ended early')))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

async function readIndex(path: string): Promise<Index | null> {
  try {
    await using handle = await open(path)
    const length = (await readFully(handle, 0, 4)).readUInt32BE(0)
    const table = JSON.parse((await readFully(handle, 4, length)).toString()) as IndexTable
    const now = new Date()
    await utimes(path, now, now) // By which the oldest are deleted
    return { ...table, path, bytesAt: 4 + length }
  } catch {
    return null
  }
}

/** The most that is read at once. */
const readBytes = 256 * 1024

async function* readMp4(
  index: Index,
  path: string,
  start: number,
  end: number,
): AsyncGenerator<Buffer, void, undefined> {
  await using boxes = await open(index.path)
  await using original = await open(path)
  for (const piece of index.pieces) {
    if (piece.end <= start || piece.start >= end) continue
    const from = Math.max(start, piece.start) - piece.start
    const until = Math.min(end, piece.end) - piece.start
    if (from < piece.boxesLength) {
      const bytes = await readFully(boxes, index.bytesAt + piece.boxesAt, piece.boxesLength)
      yield bytes.subarray(from, until)
    }
    if (until > piece.boxesLength) {
      const parts = await readParts(boxes, index.bytesAt, piece)
      const skipped = Math.max(0, from - piece.boxesLength)
      yield* readPayload(original, parts, skipped, until - piece.boxesLength)
    }
  }
}

type Part = [offset: number, length: number]

async function readParts(boxes: FileHandle, bytesAt: number, piece: IndexPiece): Promise<Part[]> {
  const pairs = await readFully(boxes, bytesAt + piece.partsAt, 8 * piece.partCount)
  return Array.from({ length: piece.partCount }, (_, index) => [
    pairs.readUInt32BE(8 * index),
    pairs.readUInt32BE(8 * index + 4),
  ])
}

/** Reads bytes of a payload: neighbouring parts at once, with what lies between them, which it leaves out. */
async function* readPayload(
  original: FileHandle,
  parts: Part[],
  from: number,
  until: number,
): AsyncGenerator<Buffer, void, undefined> {
  let wanted = cutParts(parts, from, until)
  while (wanted[0]) {
    const [start] = wanted[0]
    const near = wanted.findIndex(([offset, length]) => offset + length - start > readBytes)
    const group = near < 0 ? wanted : wanted.slice(0, Math.max(1, near))
    const last = group.at(-1) ?? wanted[0]
    const span = await readFully(original, start, last[0] + last[1] - start)
    yield Buffer.concat(
      group.map(([offset, length]) => span.subarray(offset - start, offset - start + length)),
    )
    wanted = wanted.slice(group.length)
  }
}

/** Cuts parts down to the bytes `from` up to `until` of what they make together, none longer than one read. */
function cutParts(parts: Part[], from: number, until: number): Part[] {
  const wanted: Part[] = []
  let at = 0
  for (const [offset, length] of parts) {
    const end = Math.min(length, until - at)
    for (let begin = Math.max(0, from - at); begin < end; begin += readBytes) {
      wanted.push([offset + begin, Math.min(readBytes, end - begin)])
    }
    at += length
  }
  return wanted
}

async function readFully(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
  if (bytesRead < length) throw new Error('The file is shorter than its index')
  return buffer
}

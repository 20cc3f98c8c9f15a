import { type FileHandle, open, stat } from 'node:fs/promises'
import { callDisk } from '../disk-calls.ts'
import { fileErrorCode, isGone } from '../scan/music-folder.ts'

/** A file as it was when it was found: one that is replaced at the same path is another file. */
export interface FoundFile {
  /** Absolute. */
  path: string
  inode: number
  size: number
  /** ms since the epoch. */
  modifiedMs: number
}

/** Files that are read in parts, again and again. They stay open between reads. */
export interface OpenFiles {
  /**
   * Reads from `start` up to `end`, into `target` where one is given. Rejects with FileChangedError if the file is gone, was
   * replaced or written to since.
   */
  read(file: FoundFile, start: number, end: number, target?: Buffer): Promise<Buffer>
  /** The number of files that are open. */
  count(): number
  /** Resolves when every file is closed, those too that were dropped before. */
  close(): Promise<void>
}

/** Finds the file at an absolute path; null where there is none. A pipe is none: opening it would wait for its writer. */
export async function findFile(path: string): Promise<FoundFile | null> {
  try {
    const stats = await callDisk(() => stat(path))
    return stats.isFile() ? { path, inode: stats.ino, size: stats.size, modifiedMs: stats.mtimeMs } : null
  } catch {
    return null
  }
}

/** The bytes are not those of the file that was found: it has to be found anew. */
export class FileChangedError extends Error {}

export function isSameFile(a: FoundFile, b: FoundFile): boolean {
  return a.inode === b.inode && a.size === b.size && a.modifiedMs === b.modifiedMs
}

/** Files that nobody reads for this long are closed, so that their disk can be taken out. */
const idleMs = 15_000

interface Entry {
  handle: Promise<FileHandle>
  /** Reads under way. */
  readers: number
  isIdle: boolean
}

/** Keeps at most `maxOpen` files open, apart from those that are being read. Tests set another number. */
export function createOpenFiles({ maxOpen = 128 } = {}): OpenFiles {
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()

  const drop = (key: string, { handle }: Entry): void => {
    entries.delete(key)
    const closed = handle
      .then((opened) => opened.close())
      // A file that could not be opened has failed the reads that wait for it.
      .catch(() => undefined)
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }
  const take = (file: FoundFile, key: string): Entry => {
    const entry = entries.get(key) ?? { handle: callDisk(() => openSame(file)), readers: 0, isIdle: false }
    // Last in the map is what was used last.
    entries.delete(key)
    entries.set(key, entry)
    entry.readers += 1
    entry.isIdle = false
    return entry
  }
  const dropOldest = (): void => {
    for (const [key, entry] of entries) {
      if (entries.size <= maxOpen) return
      if (entry.readers === 0) drop(key, entry)
    }
  }
  const sweep = setInterval(() => {
    for (const [key, entry] of entries) {
      if (entry.isIdle) drop(key, entry)
      entry.isIdle = entry.readers === 0
    }
  }, idleMs)
  sweep.unref()

  return {
    async read(file, start, end, target = Buffer.allocUnsafe(end - start)) {
      const key = `${file.inode} ${file.size} ${file.modifiedMs} ${file.path}`
      const entry = take(file, key)
      try {
        return await readSame(file, await entry.handle, start, target.subarray(0, end - start))
      } catch (error) {
        if (entries.get(key) === entry && entry.readers === 1) drop(key, entry)
        throw error
      } finally {
        entry.readers -= 1
        dropOldest()
      }
    },
    count: () => entries.size,
    async close() {
      clearInterval(sweep)
      for (const [key, entry] of entries) drop(key, entry)
      await Promise.all(closing)
    },
  }
}

async function openSame(file: FoundFile): Promise<FileHandle> {
  const handle = await open(file.path).catch((error: unknown) => {
    throw isGone(fileErrorCode(error)) ? new FileChangedError('The file is gone', { cause: error }) : error
  })
  if (await isUnchanged(file, handle)) return handle
  await handle.close()
  throw new FileChangedError('The file was replaced')
}

/** Looks at the file after each read: one that is written in place keeps its name and its open handle. */
async function readSame(
  file: FoundFile,
  handle: FileHandle,
  position: number,
  target: Buffer,
): Promise<Buffer> {
  await callDisk(async () => {
    const { bytesRead } = await handle.read(target, 0, target.length, position)
    if (bytesRead < target.length) throw new FileChangedError('The file ends earlier than it did')
    if (!(await isUnchanged(file, handle))) throw new FileChangedError('The file was written to')
  })
  return target
}

async function isUnchanged(file: FoundFile, handle: FileHandle): Promise<boolean> {
  const { ino, size, mtimeMs } = await handle.stat()
  return isSameFile(file, { path: file.path, inode: ino, size, modifiedMs: mtimeMs })
}

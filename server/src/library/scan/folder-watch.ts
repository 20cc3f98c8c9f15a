import { type FSWatcher, watch } from 'node:fs'
import { basename, join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { errorCode } from '../../error-code.ts'
import { isIgnoredName } from './folder-names.ts'

interface FolderWatchOptions {
  /** The absolute path of the folder that the others are relative to. */
  root: string
  clock: Pick<Clock, 'after'>
  /** Changes within this time, in ms, are reported together. */
  debounceMs: number
  /** Receives the folders in which something was added, changed, renamed or removed. */
  onChange: (folders: string[]) => void
  /** Called once, where a folder cannot be watched: the system's limit may be reached. */
  onError: (error: Error) => void
}

/** Watches single folders, not what is below them: a watch for each folder costs less than one for each file. */
export interface FolderWatch {
  /** Returns whether the folder exists: of one that appears a moment later nothing is reported. */
  add(folder: string): boolean
  remove(folder: string): void
  close(): void
}

export function createFolderWatch({
  root,
  clock,
  debounceMs,
  onChange,
  onError,
}: FolderWatchOptions): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let cancelReport: (() => void) | null = null
  let hasFailed = false

  const report = (): void => {
    cancelReport = null
    onChange([...changed])
    changed.clear()
  }
  const note = (folder: string, name: string | null): void => {
    // The root's own name is reported when the root itself is moved.
    const isRoot = folder === '' && name === basename(root)
    if (name !== null && isIgnoredName(name) && !isRoot) return
    changed.add(folder)
    cancelReport ??= clock.after(debounceMs, report)
  }
  const remove = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const fail = (error: Error): void => {
    if (!hasFailed) onError(error)
    hasFailed = true
  }

  return {
    add(folder) {
      if (watchers.has(folder)) return true
      try {
        const watcher = watch(join(root, folder), (_, name) => note(folder, name))
        watcher.on('error', () => remove(folder))
        watchers.set(folder, watcher)
        return true
      } catch (error) {
        const code = errorCode(error)
        // Deleted meanwhile, or unreadable: the listing reports that.
        if (code !== 'ENOENT' && code !== 'EACCES') fail(error as Error)
        return code !== 'ENOENT'
      }
    },
    remove,
    close() {
      cancelReport?.()
      for (const folder of watchers.keys()) remove(folder)
    },
  }
}

import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { callDisk } from '../disk-calls.ts'
import { createFolderWalk, type WalkOptions, type WalkStep } from './folder-walk.ts'
import { createFolderWatch } from './folder-watch.ts'
import type { AudioFile } from './music-folder.ts'

/** How a scan walks and watches the music folder. The server calls it in a thread of its own. */
export type ScanCalls = ReturnType<typeof createScanCalls>

export type ScanNotice = { kind: 'changed'; folders: string[] } | { kind: 'watch failed'; error: Error }

interface ScanCallsOptions {
  musicDir: string
  clock: Clock
  debounceMs: number
  /** Receives changes in the folders that are watched. */
  notify: (notice: ScanNotice) => void
}

export function createScanCalls({ musicDir, clock, debounceMs, notify }: ScanCallsOptions) {
  const folderWatch = createFolderWatch({
    root: musicDir,
    clock,
    debounceMs,
    onChange: (folders) => notify({ kind: 'changed', folders }),
    onError: (error) => notify({ kind: 'watch failed', error }),
  })
  const walk = createFolderWalk({ musicDir, now: () => clock.now(), watch: folderWatch })

  return {
    async startWalk(options: WalkOptions): Promise<void> {
      walk.start(options)
    },
    async nextFolders(): Promise<WalkStep> {
      return walk.next()
    },
    /** Resolves once the disk has answered, whether the file is there or not. */
    async awaitDisk({ path }: AudioFile): Promise<void> {
      await callDisk(() => lstat(join(musicDir, path))).catch(() => {})
    },
  }
}

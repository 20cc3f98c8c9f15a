import { watch } from 'chokidar'
import type { Clock } from '@earshot/core/clock'

export interface FolderWatchOptions {
  folder: string
  clock: Clock
  /** A file is complete when its size stays the same for this long, in ms. */
  settleMs: number
  /** Changes within this time, in ms, are reported once. */
  debounceMs: number
  onChange: () => void
  onError: (error: unknown) => void
}

/**
 * Watches a folder and everything in it, except hidden names and the targets of links. Reports once when it is ready,
 * and then each change. A missing folder works too, but every change in its parent then costs a scan of the parent.
 * Returns a function that ends the watch.
 */
export function watchFolder(options: FolderWatchOptions): () => Promise<void> {
  const { folder, clock, settleMs, debounceMs, onChange, onError } = options
  let cancel = (): void => {}
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== folder && /(?:^|[\\/])\.[^\\/]*$/.test(path),
    awaitWriteFinish: { stabilityThreshold: settleMs, pollInterval: Math.max(10, settleMs / 10) },
  })
  const report = (): void => {
    cancel()
    cancel = clock.after(debounceMs, onChange)
  }
  watcher.on('all', report)
  // Changes during set-up were not reported.
  watcher.on('ready', report)
  watcher.on('error', onError)
  return async () => {
    cancel()
    await watcher.close()
  }
}

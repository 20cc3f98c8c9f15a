import { watch } from 'chokidar'
import type { Clock } from '@earshot/core/clock'

export interface FolderWatchOptions {
  folder: string
  clock: Clock
  /** A file has been written completely when its size stays the same for this long, in ms. */
  settleMs: number
  /** Changes that follow each other within this time, in ms, are told once. */
  debounceMs: number
  onChange: () => void
  onError: (error: unknown) => void
}

/**
 * Tells once when it has begun, and then of changes anywhere in a folder, also in one that is yet to appear: but until
 * then each change in the folder around it makes the watch look at all that is there. Hidden names and what links point
 * to do not count. Returns a function that ends it.
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
  const tell = (): void => {
    cancel()
    cancel = clock.after(debounceMs, onChange)
  }
  watcher.on('all', tell)
  // What changed while the watch was being set up was not told.
  watcher.on('ready', tell)
  watcher.on('error', onError)
  return async () => {
    cancel()
    await watcher.close()
  }
}

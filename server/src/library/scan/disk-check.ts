import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { repeat } from '../../async/repeat.ts'
import { folderState } from '../missing-file.ts'

interface DiskCheckParts {
  musicDir: string
  clock: Clock
  logger: Logger
  everyMs: number
}

/**
 * Looks regularly whether the music folder still has entries, and calls `onGone` where it has none or cannot be read: not
 * every system reports that a disk was unmounted. Returns a function that ends it.
 */
export function startDiskCheck(
  { musicDir, clock, logger, everyMs }: DiskCheckParts,
  onGone: () => Promise<void>,
): () => void {
  const check = async (): Promise<void> => {
    if ((await folderState(musicDir)) !== 'filled') await onGone()
  }
  const stop = repeat(clock, { firstMs: everyMs, everyMs }, check, (error) =>
    logger.error({ err: error }, 'Could not check the music folder; checking again later'),
  )
  // Not awaited: a network disk that hangs must not delay the end of the server.
  return () => void stop()
}

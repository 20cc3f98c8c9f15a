import type { Clock } from '@earshot/core/clock'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import { watchFolder } from './scan/folder-watch.ts'
import { createScanner } from './scan/library-scanner.ts'
import type { LibraryProblem } from './scan/music-folder.ts'
import { createCoalescedRun } from '../async/coalesced-run.ts'

/** The music of the server's own folder, kept in line with it in the background. */
export interface MusicLibrary {
  /** Begins to scan and to watch, in the background. */
  start(): void
  /** Unavailable while the folder cannot be read; the catalogue is kept for when it comes back. */
  status(): SourceStatus
  /** The catalogue is not, or not yet known to be, in line with the folder: more tracks may follow soon. */
  isScanning(): boolean
  /** What is in the folder and cannot be used, as of the latest scan. */
  problems(): readonly LibraryProblem[]
  /** Looks at the folder now; resolves when the catalogue is in line with it. */
  rescan(): Promise<void>
  /** Ends watching and scanning, and waits for it. */
  close(): Promise<void>
}

export interface MusicLibraryOptions {
  db: Db
  musicDir: string
  clock: Clock
  logger: Logger
  timings?: Partial<typeof libraryTimings>
}

/** In ms. */
export const libraryTimings = {
  /** A file is complete when it has not changed for this long. */
  settleMs: 2_000,
  /** Changes that come together are looked at together. */
  debounceMs: 300,
  /** How soon a folder that cannot be read is tried again. */
  retryMs: 5_000,
  /** Network folders do not tell of changes: the folder is looked at this often anyway. */
  rescanMs: 600_000,
}

/** The library as it was stored; nothing is done before `start`. */
export function createMusicLibrary(options: MusicLibraryOptions): MusicLibrary {
  const { musicDir, clock, logger } = options
  const timings = { ...libraryTimings, ...options.timings }
  const scanner = createScanner(options, timings.settleMs)
  const stopping = new AbortController()
  let cancelNext = (): void => {}
  let isScanning = true
  let isStarted = false
  let endWatch: (() => Promise<void>) | null = null

  const beginWatch = (): (() => Promise<void>) =>
    watchFolder({
      folder: musicDir,
      clock,
      settleMs: timings.settleMs,
      debounceMs: timings.debounceMs,
      onChange: () => void scans.request(),
      onError: (error) => logger.warn({ err: error, musicDir }, 'The music folder cannot be watched'),
    })

  /** Watches a folder that is there. One that is missing is looked for now and then: see `watchFolder`. */
  const settleWatch = async (): Promise<void> => {
    if (scanner.status().available) endWatch ??= beginWatch()
    else {
      await endWatch?.()
      endWatch = null
    }
  }

  const scans = createCoalescedRun(async () => {
    cancelNext()
    if (stopping.signal.aborted) return
    isScanning = true
    const result = await scanner.scan(stopping.signal)
    isScanning = result === 'unsettled'
    const nextMs = { failed: timings.retryMs, unsettled: timings.settleMs, done: timings.rescanMs }[result]
    if (stopping.signal.aborted) return
    cancelNext = clock.after(nextMs, () => void scans.request())
    if (isStarted) await settleWatch()
  })

  return {
    start() {
      isStarted = true
      void scans.request()
    },
    status: () => scanner.status(),
    isScanning: () => isScanning,
    problems: () => scanner.problems(),
    rescan: () => scans.request(),
    async close() {
      stopping.abort()
      cancelNext()
      await scans.idle()
      await endWatch?.()
    },
  }
}

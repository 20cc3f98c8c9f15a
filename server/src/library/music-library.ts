import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { createCoalescedRun } from '../async/coalesced-run.ts'
import type { Db } from '../db/database.ts'
import { type CoverArt, createCoverArt } from './cover-art.ts'
import { createLibraryProvider, type LibraryProvider, type LibraryState } from './library-provider.ts'
import { watchFolder } from './scan/folder-watch.ts'
import { createScanner } from './scan/library-scanner.ts'
import type { LibraryProblem } from './scan/music-folder.ts'
import { createSeekableAudio, type SeekableAudio } from './seekable/seekable-audio.ts'

/** Keeps the catalogue up to date with the music folder, in the background. */
export interface MusicLibrary extends LibraryState {
  /** Starts scanning and watching, in the background. */
  start(): void
  /** The entries of the folder that cannot be used, as of the latest scan. */
  problems(): readonly LibraryProblem[]
  /** Scans now; resolves when the catalogue matches the folder. */
  rescan(): Promise<void>
  /** Stops watching and scanning, and waits for both. */
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
  /** Changes within this time cause one scan. */
  debounceMs: 300,
  /** The delay before another attempt to read the folder. */
  retryMs: 5_000,
  /** Network folders do not report changes, so every folder is scanned at this interval. */
  rescanMs: 600_000,
}

/** The parts of the music library that HTTP calls use. */
export interface OpenedLibrary {
  library: MusicLibrary
  provider: LibraryProvider
  coverArt: CoverArt
  seekableAudio: SeekableAudio
}

/** Builds the music library, its provider and its covers. Nothing runs before `library.start`. */
export function openLibrary({
  dataDir,
  ...options
}: MusicLibraryOptions & { dataDir: string }): OpenedLibrary {
  const { db, musicDir, logger } = options
  const library = createMusicLibrary(options)
  return {
    library,
    seekableAudio: createSeekableAudio({ musicDir, indexDir: join(dataDir, 'indexes'), logger }),
    provider: createLibraryProvider(db, library),
    coverArt: createCoverArt({ musicDir, coversDir: join(dataDir, 'covers') }),
  }
}

/** Creates the library with the stored catalogue. Nothing runs before `start`. */
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
      onError: (error) =>
        logger.warn({ err: error, musicDir }, 'Cannot watch the music folder; scanning it every 10 minutes'),
    })

  /** Watches the folder only while it exists: `watchFolder` is expensive for a missing one, retries are not. */
  const updateWatch = async (): Promise<void> => {
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
    if (isStarted) await updateWatch()
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

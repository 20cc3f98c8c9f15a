import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { createCoalescedRun } from '../async/coalesced-run.ts'
import type { Db } from '../db/database.ts'
import { createSearchIndex } from '../db/catalogue/library-search.ts'
import { type CoverArt, createCoverArt } from './covers/cover-art.ts'
import { createLibraryProvider, type LibraryProvider, type LibraryState } from './library-provider.ts'
import { startDiskCheck } from './scan/disk-check.ts'
import { createScanner, type ScanResult } from './scan/library-scanner.ts'
import type { LibraryProblem } from './scan/music-folder.ts'
import { createScanRequests, type ScanRequests } from './scan/scan-requests.ts'
import { trackUnfinishedFiles } from './scan/unfinished-files.ts'
import { createLibraryIndexing, type LibraryIndexing } from './seekable/library-indexing.ts'
import { createWaveforms, type Waveforms } from './waveforms/waveforms.ts'
import { createSeekableAudio, type SeekableAudio } from './seekable/seekable-audio.ts'
import { createOpenFiles, type OpenFiles } from './serving/open-files.ts'
import { createOriginalAudio, type OriginalAudio } from './serving/original-audio.ts'

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

interface MusicLibraryOptions {
  db: Db
  musicDir: string
  clock: Clock
  logger: Logger
  /** Called after each scan that leaves the catalogue as the music folder is. */
  onScanned: () => void
  /** Set by tests only. */
  timings?: Partial<typeof libraryTimings>
}

/** In ms. */
const libraryTimings = {
  /** A file is complete when it has not changed for this long. */
  settleMs: 2_000,
  /** Changes within this time cause one scan. */
  debounceMs: 300,
  /** The delay before another attempt to read the folder. */
  retryMs: 5_000,
  /** Network folders do not report changes, so the whole folder is walked at this interval. */
  rescanMs: 600_000,
  /** Nothing reports that the folder's disk is gone, in a container for example, so it is looked for at this interval. */
  diskCheckMs: 15_000,
}

/** The parts of the music library that HTTP calls use. */
export interface OpenedLibrary {
  library: MusicLibrary
  provider: LibraryProvider
  coverArt: CoverArt
  originalAudio: OriginalAudio
  waveforms: Waveforms
  seekableAudio: SeekableAudio
  indexing: LibraryIndexing
  openFiles: OpenFiles
}

/** Builds the music library, its provider and its covers. Nothing runs before `library.start`. */
export function openLibrary({
  dataDir,
  ...options
}: Omit<MusicLibraryOptions, 'onScanned'> & { dataDir: string }): OpenedLibrary {
  const { db, musicDir, logger } = options
  const indexDir = join(dataDir, 'indexes')
  const openFiles = createOpenFiles()
  const originalAudio = createOriginalAudio(musicDir, openFiles)
  const indexing = createLibraryIndexing({ db, indexDir, originalAudio, logger })
  const onScanned = (): void => void indexing.request().then(() => waveforms.measureAll())
  const library = createMusicLibrary({ ...options, onScanned })
  const waveforms = createWaveforms({ ...options, isScanning: () => library.isScanning() })
  return {
    library,
    openFiles,
    originalAudio,
    indexing,
    waveforms,
    seekableAudio: createSeekableAudio({ indexDir, openFiles, logger }),
    provider: createLibraryProvider(db, library),
    coverArt: createCoverArt({ musicDir, coversDir: join(dataDir, 'covers'), logger }),
  }
}

/** Closes all parts of the library at once. Takes as long as the music folder's disk does. */
export async function closeLibrary(opened: OpenedLibrary): Promise<void> {
  const { coverArt, seekableAudio, openFiles, library, waveforms, indexing } = opened
  const parts = [coverArt, seekableAudio, openFiles, library, waveforms, indexing]
  await Promise.all(parts.map((part) => part.close()))
}

/** Creates the library with the stored catalogue. Nothing runs before `start`. */
export function createMusicLibrary(options: MusicLibraryOptions): MusicLibrary {
  const { db, clock, logger, onScanned } = options
  const timings = { ...libraryTimings, ...options.timings }
  const requests = createScanRequests(timings.rescanMs)
  const unfinished = trackUnfinishedFiles(timings.settleMs)
  const stopping = new AbortController()
  let cancelNext = (): void => {}
  let isStarted = false
  let searchIndex: Promise<void> | null = null

  const scanner = createScanner({
    ...options,
    ...timings,
    onChange: (folders) => {
      requests.addFolders(folders)
      if (!unfinished.areOnlyGrowing(folders)) void scans.request()
    },
  })
  const scans = createCoalescedRun(async () => {
    cancelNext()
    if (stopping.signal.aborted) return
    unfinished.begin()
    await (searchIndex ??= prepareSearch(db, logger))
    const request = { ...requests.take(clock.now()), isWatching: isStarted }
    const result = await scanner.scan(request, stopping.signal)
    const isComplete = unfinished.end(result, clock.now())
    if (isComplete && !stopping.signal.aborted) onScanned()
    const settleMs = unfinished.waitMs()
    const nextMs = prepareNext(result, requests, { ...timings, settleMs, nowMs: clock.now() })
    if (!stopping.signal.aborted) cancelNext = clock.after(nextMs, () => void scans.request())
  })
  const scanAll = (): Promise<void> => {
    requests.addAll()
    return scans.request()
  }
  /** A scan of the folder itself finds the reason. */
  const scanRoot = async (): Promise<void> => {
    if (!scanner.status().available) return
    requests.addFolders([''])
    await scans.request()
  }
  let stopDiskCheck = (): void => {}

  return {
    start() {
      isStarted = true
      void scanAll()
      stopDiskCheck = startDiskCheck({ ...options, everyMs: timings.diskCheckMs }, scanRoot)
    },
    status: () => scanner.status(),
    isScanning: () => unfinished.isScanning(),
    problems: () => scanner.problems(),
    rescan: scanAll,
    async close() {
      stopping.abort()
      cancelNext()
      stopDiskCheck()
      await scanner.close()
      await scans.idle()
    },
  }
}

/** Adds what the next scan must cover because of this one. Returns the time until then, in ms. */
function prepareNext(
  result: ScanResult,
  requests: ScanRequests,
  { retryMs, settleMs, nowMs }: { retryMs: number; settleMs: number; nowMs: number },
): number {
  if (result.kind === 'failed') requests.addAll()
  if (result.kind === 'unsettled') requests.addFolders(result.folders)
  return { failed: retryMs, unsettled: settleMs, done: requests.msUntilWalk(nowMs) }[result.kind]
}

async function prepareSearch(db: Db, logger: Logger): Promise<void> {
  try {
    await createSearchIndex(db)
  } catch (error) {
    const hint = 'searches read the whole library. To speed them up: create extension pg_trgm'
    logger.warn({ err: error }, `Could not create the search index; ${hint}`)
  }
}

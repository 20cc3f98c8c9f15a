import type { Clock } from '@earshot/core/clock'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { openWorker } from '../../async/worker-calls.ts'
import type { FolderNotes } from './folder-scan.ts'
import { scanLibrary, type ScanReport, type ScanRequest } from './library-scan.ts'
import type { ReadCalls } from './read-calls.ts'
import type { ReadWorkerData } from './read-worker.ts'
import type { ScanCalls, ScanNotice } from './scan-calls.ts'
import type { ScanWorkerData } from './scan-worker.ts'
import { MusicFolderError, type LibraryProblem } from './music-folder.ts'
import { serverLimits } from '../../server-limits.ts'

const orSetDir = 'or set MUSIC_DIR to a folder with music.'
const folderReasons: Record<string, string> = {
  ENOENT: `The music folder does not exist. Create it, ${orSetDir}`,
  ENOTDIR: `The music folder is not a folder. Make it one, ${orSetDir}`,
  EMPTY: `The music folder is empty, as if its disk was not mounted. Mount it, put music in it, ${orSetDir}`,
  EACCES: `The server may not read the music folder. Change its permissions, ${orSetDir}`,
}

/** `unsettled`: files in these folders are still being written, and need another scan. */
export type ScanResult =
  | { kind: 'failed' }
  | { kind: 'done'; storedCount: number }
  | { kind: 'unsettled'; storedCount: number; folders: string[] }

interface Scanner {
  scan(request: ScanRequest, signal: AbortSignal): Promise<ScanResult>
  status(): SourceStatus
  problems(): readonly LibraryProblem[]
  /** Ends its threads, and the watch of the folder. */
  close(): Promise<void>
}

interface ScannerOptions {
  db: Db
  musicDir: string
  clock: Clock
  logger: Logger
  settleMs: number
  debounceMs: number
  /** Receives the folders that changed, while they are watched. */
  onChange: (folders: string[]) => void
}

/** For one step of a scan. A network folder that hangs longer fails, and is tried again. */
const timeoutMs = 120_000
const maxHeapMb = 96
/** Longer than a scan leaves it without files to read. */
const readerIdleMs = 10_000

/**
 * Creates a scanner that keeps the outcome of its latest scan. One thread walks and watches the folder, another reads new
 * files. Scans must not overlap.
 */
export function createScanner(options: ScannerOptions): Scanner {
  const { musicDir, clock, logger, debounceMs } = options
  const notes: FolderNotes = new Map()
  const walker = openWorker<ScanCalls>(new URL('./scan-worker.ts', import.meta.url), {
    data: { musicDir, debounceMs } satisfies ScanWorkerData,
    timeoutMs,
    maxHeapMb,
    onNotice: (notice) => receive(notice as ScanNotice, options),
  })
  const reader = openWorker<ReadCalls>(new URL('./read-worker.ts', import.meta.url), {
    data: { musicDir } satisfies ReadWorkerData,
    timeoutMs,
    maxHeapMb,
    idleMs: readerIdleMs,
  })
  let problems: LibraryProblem[] = []
  let reason: string | null = null

  const reportFailure = (error: unknown): void => {
    if (!(error instanceof MusicFolderError)) {
      logger.error({ err: error, musicDir }, 'Could not scan the music folder; retrying')
      return
    }
    const isNew = reason === null
    reason =
      folderReasons[error.code] ?? `The music folder cannot be read (${error.code}). Fix it, ${orSetDir}`
    if (isNew) logger.warn({ musicDir, code: error.code }, reason)
  }

  return {
    async scan(request, signal) {
      const startedAtMs = clock.now()
      try {
        const report = await scanLibrary({ ...options, walker, reader, notes, signal }, request)
        logReport(logger, report, problems, clock.now() - startedAtMs)
        problems = report.problems
        reason = null
        const { storedCount, unsettledFolders: folders } = report
        return folders.length > 0
          ? { kind: 'unsettled', storedCount, folders }
          : { kind: 'done', storedCount }
      } catch (error) {
        if (!signal.aborted) reportFailure(error)
        return { kind: 'failed' }
      }
    },
    status: () => ({ source: 'library', available: reason === null, reason }),
    problems: () => problems,
    async close() {
      await Promise.all([walker.close(), reader.close()])
    },
  }
}

function receive(notice: ScanNotice, { musicDir, logger, onChange }: ScannerOptions): void {
  if (notice.kind === 'changed') onChange(notice.folders)
  else {
    const next = 'some changes are found by the scan every 10 minutes only'
    logger.warn({ err: notice.error, musicDir }, `Cannot watch the music folder; ${next}`)
  }
}

/** Logs each problem once, when it first occurs. An archive with thousands would fill the log, and hold up the server. */
function logReport(
  logger: Logger,
  report: ScanReport,
  before: readonly LibraryProblem[],
  durationMs: number,
): void {
  const known = new Set(before.map(({ path, reason }) => `${path}\n${reason}`))
  const occurred = report.problems.filter(({ path, reason }) => !known.has(`${path}\n${reason}`))
  for (const problem of occurred.slice(0, serverLimits.libraryProblemsShown))
    logger.warn(problem, 'File left out of the library')
  const others = occurred.length - serverLimits.libraryProblemsShown
  if (others > 0) logger.warn({ count: others }, 'Further files left out of the library')
  const { storedCount, missingCount, unchangedCount, problems } = report
  if (storedCount === 0 && missingCount === 0) return
  const counts = { storedCount, removedCount: missingCount, unchangedCount, problemCount: problems.length }
  logger.info({ ...counts, durationMs: Math.round(durationMs) }, 'Library scan completed')
}

import type { Clock } from '@earshot/core/clock'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { scanLibrary, type BrokenFile, type ScanReport } from './library-scan.ts'
import { MusicFolderError, type LibraryProblem } from './music-folder.ts'

const orSetDir = 'or set MUSIC_DIR to a folder with music.'
const folderReasons: Record<string, string> = {
  ENOENT: `The music folder does not exist. Create it, ${orSetDir}`,
  ENOTDIR: `The music folder is not a folder. Make it one, ${orSetDir}`,
  EACCES: `The server may not read the music folder. Change its permissions, ${orSetDir}`,
}

/** `unsettled`: a file is still being written, and needs another scan. */
export type ScanResult = 'done' | 'unsettled' | 'failed'

export interface Scanner {
  scan(signal: AbortSignal): Promise<ScanResult>
  status(): SourceStatus
  problems(): readonly LibraryProblem[]
}

export interface ScannerOptions {
  db: Db
  musicDir: string
  clock: Clock
  logger: Logger
}

/** Creates a scanner that keeps the outcome of its latest scan. Scans must not overlap. */
export function createScanner({ db, musicDir, clock, logger }: ScannerOptions, settleMs: number): Scanner {
  const broken = new Map<string, BrokenFile>()
  let problems: LibraryProblem[] = []
  let reason: string | null = null

  const scan = async (signal: AbortSignal): Promise<ScanResult> => {
    const startedAtMs = clock.now()
    try {
      const report = await scanLibrary({ db, musicDir, clock, settleMs, broken, signal })
      logReport(logger, report, problems, clock.now() - startedAtMs)
      problems = report.problems
      reason = null
      return report.unsettledCount > 0 ? 'unsettled' : 'done'
    } catch (error) {
      if (error instanceof MusicFolderError) {
        const isNew = reason === null
        reason =
          folderReasons[error.code] ?? `The music folder cannot be read (${error.code}). Fix it, ${orSetDir}`
        if (isNew) logger.warn({ musicDir, code: error.code }, reason)
      } else {
        logger.error({ err: error, musicDir }, 'Could not scan the music folder; retrying')
      }
      return 'failed'
    }
  }
  return {
    scan,
    status: () => ({ source: 'library', available: reason === null, reason }),
    problems: () => problems,
  }
}

/** Logs each problem once, when it first occurs. */
function logReport(
  logger: Logger,
  report: ScanReport,
  before: readonly LibraryProblem[],
  durationMs: number,
): void {
  const known = new Set(before.map(({ path, reason }) => `${path}\n${reason}`))
  for (const problem of report.problems) {
    if (!known.has(`${problem.path}\n${problem.reason}`)) logger.warn(problem, 'File left out of the library')
  }
  const { storedCount, removedCount, unchangedCount, problems } = report
  if (storedCount === 0 && removedCount === 0) return
  const counts = { storedCount, removedCount, unchangedCount, problemCount: problems.length }
  logger.info({ ...counts, durationMs: Math.round(durationMs) }, 'Library scan completed')
}

import { systemClock } from '../src/clock/server-clock.ts'
import type { Db } from '../src/db/database.ts'
import type { FolderNotes, FolderScanParts } from '../src/library/scan/folder-scan.ts'
import { scanLibrary, type ScanReport, type ScanRequest } from '../src/library/scan/library-scan.ts'
import { createReadCalls } from '../src/library/scan/read-calls.ts'
import { createScanCalls } from '../src/library/scan/scan-calls.ts'

/**
 * Returns a function that scans a folder, all of it unless told otherwise, as one server would repeatedly. Without
 * threads, which take long to start; `failOn` says which files would end that of the reader, and how, and
 * `failDisk` how a disk that hangs ends that of the walk. `afterStep` is run after each step of the walk through the folder.
 */
export function prepareScans(
  db: Db,
  musicDir: string,
  {
    failOn = () => null,
    failDisk = () => null,
    afterStep = async () => {},
  }: {
    failOn?: (paths: string[]) => Error | null
    failDisk?: () => Error | null
    afterStep?: () => Promise<void>
  } = {},
): (options?: { settleMs?: number } & Partial<ScanRequest>) => Promise<ScanReport> {
  const walkCalls = createScanCalls({ musicDir, clock: systemClock, debounceMs: 10, notify: () => {} })
  const walker: FolderScanParts['walker'] = {
    async call(name, input) {
      const failure = failDisk()
      if (failure) throw failure
      const answer = await (walkCalls[name] as (input: unknown) => Promise<never>)(input)
      if (name === 'nextFolders') await afterStep()
      return answer
    },
  }
  const readCalls = createReadCalls(musicDir)
  const reader: FolderScanParts['reader'] = {
    async call(name, files) {
      const failure = failOn(files.map(({ path }) => path))
      if (failure) throw failure
      return await (readCalls[name] as (input: unknown) => Promise<never>)(files)
    },
  }
  const notes: FolderNotes = new Map()
  const parts = { db, musicDir, clock: systemClock, walker, reader, notes }
  const { signal } = new AbortController()
  return ({ settleMs = 0, mode = 'all', folders = [] } = {}) =>
    scanLibrary({ ...parts, settleMs, signal }, { mode, folders, isWatching: false })
}

import type { WorkerCalls } from '../src/async/worker-calls.ts'
import { systemClock } from '../src/clock.ts'
import type { Db } from '../src/db/database.ts'
import type { FolderNotes } from '../src/library/scan/folder-scan.ts'
import { scanLibrary, type ScanReport, type ScanRequest } from '../src/library/scan/library-scan.ts'
import { createScanCalls, type ScanCalls } from '../src/library/scan/scan-calls.ts'

/**
 * Returns a function that scans a folder, all of it unless told otherwise, as one server would repeatedly. Without a
 * thread, which takes long to start; `failOn` says which files would end that thread, and how. `afterStep` is run after
 * each step of the walk through the folder.
 */
export function prepareScans(
  db: Db,
  musicDir: string,
  {
    failOn = () => null,
    afterStep = async () => {},
  }: { failOn?: (paths: string[]) => Error | null; afterStep?: () => Promise<void> } = {},
): (options?: { settleMs?: number } & Partial<ScanRequest>) => Promise<ScanReport> {
  const calls = createScanCalls({ musicDir, clock: systemClock, debounceMs: 10, notify: () => {} })
  const worker: Pick<WorkerCalls<ScanCalls>, 'call'> = {
    async call(name, input) {
      const files = name === 'readFiles' ? (input as { path: string }[]) : []
      const failure = failOn(files.map(({ path }) => path))
      if (failure) throw failure
      const answer = await (calls[name] as (input: unknown) => Promise<never>)(input)
      if (name === 'nextFolders') await afterStep()
      return answer
    },
  }
  const notes: FolderNotes = new Map()
  const parts = { db, musicDir, clock: systemClock, worker, notes }
  const { signal } = new AbortController()
  return ({ settleMs = 0, mode = 'all', folders = [] } = {}) =>
    scanLibrary({ ...parts, settleMs, signal }, { mode, folders, isWatching: false })
}

import { onTestFinished } from 'vitest'
import { openWorker } from '../src/async/worker-calls.ts'
import { systemClock } from '../src/clock.ts'
import type { Db } from '../src/db/database.ts'
import { scanLibrary, type ScanReport, type ScanRequest } from '../src/library/scan/library-scan.ts'
import type { ScanCalls } from '../src/library/scan/scan-worker.ts'

/** Returns a function that scans a folder, all of it unless told otherwise, as one server would repeatedly. */
export function prepareScans(
  db: Db,
  musicDir: string,
): (options?: { settleMs?: number } & Partial<ScanRequest>) => Promise<ScanReport> {
  const worker = openWorker<ScanCalls>(new URL('../src/library/scan/scan-worker.ts', import.meta.url), {
    data: { musicDir, debounceMs: 10 },
    timeoutMs: 20_000,
    maxHeapMb: 96,
  })
  onTestFinished(() => worker.close())
  const parts = { db, musicDir, clock: systemClock, worker, notes: new Map() }
  const { signal } = new AbortController()
  return ({ settleMs = 0, mode = 'all', folders = [] } = {}) =>
    scanLibrary({ ...parts, settleMs, signal }, { mode, folders, isWatching: false })
}

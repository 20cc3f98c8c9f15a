import type { ScanResult } from './library-scanner.ts'

/** Files that change for longer than this no longer count as scanning. Also the longest pause between two scans of them. */
const growingAfterMs = 30_000

/**
 * Follows files that are still being written: copies, which end soon, and recordings and downloads, which keep growing for
 * hours.
 */
interface UnfinishedFiles {
  /** Notes that a scan starts. */
  begin(): void
  /** Notes a scan's result. Returns whether the library is complete, apart from files that keep growing. */
  end(result: ScanResult, nowMs: number): boolean
  /** Whether the library is being scanned, or has files that began to change lately. */
  isScanning(): boolean
  /** Whether the only changing files are in these folders and have been growing for 30 s: they are scanned every 30 s. */
  areOnlyGrowing(folders: string[]): boolean
  /** Returns the time until the next scan, in ms. */
  waitMs(): number
}

export function trackUnfinishedFiles(settleMs: number): UnfinishedFiles {
  let folders = new Set<string>()
  let sinceMs = 0
  let waitedMs = 0
  let isScanning = true

  const hasOnlyGrowing = (): boolean => folders.size > 0 && waitedMs >= growingAfterMs

  return {
    begin() {
      isScanning = !hasOnlyGrowing()
    },
    end(result, nowMs) {
      const found = result.kind === 'unsettled' ? result.folders : []
      const hasNew = found.some((folder) => !folders.has(folder))
      if (hasNew || (result.kind !== 'failed' && result.storedCount > 0)) sinceMs = nowMs
      const hadOnlyGrowing = hasOnlyGrowing()
      folders = new Set(found)
      waitedMs = nowMs - sinceMs
      isScanning = folders.size > 0 && waitedMs < growingAfterMs
      return result.kind === 'done' || (hasOnlyGrowing() && !hadOnlyGrowing)
    },
    isScanning: () => isScanning,
    areOnlyGrowing: (changed) => hasOnlyGrowing() && changed.every((folder) => folders.has(folder)),
    waitMs: () => Math.min(Math.max(waitedMs, settleMs), growingAfterMs),
  }
}

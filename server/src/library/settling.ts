import type { ScanResult } from './scan/library-scanner.ts'

/** Files that keep changing for this long no longer count as scanning. Also the longest pause between two checks of them. */
const ongoingAfterMs = 30_000

/**
 * Follows files that are still being written: copies, which end soon, and recordings and downloads, which go on for
 * hours.
 */
export interface Settling {
  /** Receives the start of a scan. */
  begin(): void
  /** Receives the outcome of a scan. Returns whether the library is complete by it, but for files that go on for long. */
  end(result: ScanResult, nowMs: number): boolean
  /** Whether the library is being scanned, or has files that are being written and have not been for long. */
  isScanning(): boolean
  /** Whether the folders have nothing but files that have been written to for long, which are looked at seldom. */
  isOngoing(folders: string[]): boolean
  /** Returns the time until the next look, in ms. */
  waitMs(): number
}

export function createSettling(settleMs: number): Settling {
  let folders = new Set<string>()
  let sinceMs = 0
  let waitedMs = 0
  let isScanning = true

  const isOngoing = (changed: string[]): boolean =>
    folders.size > 0 && waitedMs >= ongoingAfterMs && changed.every((folder) => folders.has(folder))

  return {
    begin() {
      isScanning = !isOngoing([])
    },
    end(result, nowMs) {
      const found = result.kind === 'unsettled' ? result.folders : []
      const hasNew = found.some((folder) => !folders.has(folder))
      if (hasNew || (result.kind !== 'failed' && result.storedCount > 0)) sinceMs = nowMs
      const wasOngoing = isOngoing([])
      folders = new Set(found)
      waitedMs = nowMs - sinceMs
      isScanning = folders.size > 0 && waitedMs < ongoingAfterMs
      return result.kind === 'done' || (isOngoing([]) && !wasOngoing)
    },
    isScanning: () => isScanning,
    isOngoing,
    waitMs: () => Math.min(Math.max(waitedMs, settleMs), ongoingAfterMs),
  }
}

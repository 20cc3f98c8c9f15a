import type { ScanRequest } from './library-scan.ts'

/** Collects what the next scan of the music folder must cover. */
export interface ScanRequests {
  /** Requests a scan of everything. */
  addAll(): void
  addFolders(folders: string[]): void
  /** Takes what was requested. A walk of the folder is added when it is due. */
  take(nowMs: number): Pick<ScanRequest, 'mode' | 'folders'>
  /** Returns the time until the next walk, in ms. */
  msUntilWalk(nowMs: number): number
}

/** Of the periodic walks, every sixth reads all folders: only that finds files that changed in place unwatched. */
const walksPerFullScan = 6

/** Creates the requests of a library, with a walk every `walkMs`. */
export function createScanRequests(walkMs: number): ScanRequests {
  const folders = new Set<string>()
  let isAll = true
  let lastWalkMs = 0
  let walkCount = 0
  const msSinceWalk = (nowMs: number): number => {
    // The clock may be set back.
    lastWalkMs = Math.min(lastWalkMs, nowMs)
    return nowMs - lastWalkMs
  }

  return {
    addAll() {
      isAll = true
    },
    addFolders(added) {
      for (const folder of added) folders.add(folder)
    },
    take(nowMs) {
      const isDue = msSinceWalk(nowMs) >= walkMs
      if (isDue) walkCount += 1
      const isFull = isAll || (isDue && walkCount % walksPerFullScan === 0)
      if (isFull || isDue) lastWalkMs = nowMs
      if (isFull) walkCount = 0
      const taken = [...folders]
      folders.clear()
      isAll = false
      return { mode: isFull ? 'all' : isDue ? 'changed' : 'only', folders: taken }
    },
    msUntilWalk: (nowMs) => Math.max(0, walkMs - msSinceWalk(nowMs)),
  }
}

import {
  type StoredPath,
  listLibraryFolders,
  listStoredPaths,
  hasLibraryFiles,
  markLibraryFilesMissing,
} from '../../db/catalogue/library-files.ts'
import {
  type FolderNotes,
  type FolderScanParts,
  type FolderScanResult,
  findInPlace,
  scanFolders,
} from './folder-scan.ts'
import type { WalkOptions } from './folder-walk.ts'
import { type LibraryProblem, MusicFolderError } from './music-folder.ts'

/** Which folders to scan: see `WalkOptions`. */
export type ScanRequest = Omit<WalkOptions, 'expectsFiles'>

export interface ScanReport {
  /** Tracks that are new, or whose file changed or moved. */
  storedCount: number
  missingCount: number
  unchangedCount: number
  /** Folders with files that had just changed. Scan them again. */
  unsettledFolders: string[]
  /** All problems known, also in folders that were not scanned. */
  problems: LibraryProblem[]
}

/** The folders of a scan, in addition to what is in them. */
interface WalkResult extends FolderScanResult {
  visited: Set<string>
  unreadable: string[]
  gone: string[]
}

/**
 * Updates the catalogue from the music folder. A second copy of a file is the same track and is not listed; it takes
 * the place of a first one that is gone. Throws `MusicFolderError` where the folder cannot be read, with the catalogue
 * unchanged. An abort keeps the tracks found so far.
 */
export async function scanLibrary(parts: FolderScanParts, request: ScanRequest): Promise<ScanReport> {
  const { db, clock, notes, signal } = parts
  const result: WalkResult = {
    storedCount: 0,
    unchangedCount: 0,
    unsettledFolders: new Set(),
    missing: new Map(),
    changed: new Set(),
    visited: new Set(),
    unreadable: [],
    gone: [],
  }
  await walk(parts, request, result)
  if (!signal.aborted) await requireDisk(parts, request, result)
  if (!signal.aborted) await addMissingFolders(parts, request, result)
  const copyFolders = takeCopies(notes, result)
  if (copyFolders.length > 0) await walk(parts, { ...request, mode: 'only', folders: copyFolders }, result)

  const missing = signal.aborted ? [] : await confirmMissing(parts, result)
  await markLibraryFilesMissing(db, missing, clock.now())
  const { storedCount, unchangedCount, unsettledFolders } = result
  return {
    storedCount,
    missingCount: missing.length,
    unchangedCount,
    unsettledFolders: [...unsettledFolders],
    problems: listProblems(notes),
  }
}

/**
 * Lists the music folder itself once more where files seem to be deleted: if their disk went away during the walk, it is
 * gone or empty now. Throws `MusicFolderError` then.
 */
async function requireDisk(parts: FolderScanParts, request: ScanRequest, result: WalkResult): Promise<void> {
  if (result.missing.size === 0 && result.gone.length === 0) return
  // The copy discards the counts of this walk. Its maps and sets are shared, so what it finds stays.
  await walk(parts, { ...request, mode: 'only', folders: [''] }, { ...result })
}

async function walk(parts: FolderScanParts, request: ScanRequest, result: WalkResult): Promise<void> {
  const { db, walker, signal } = parts
  await walker.call('startWalk', { ...request, expectsFiles: await hasLibraryFiles(db) })
  for (let isLast = false; !isLast && !signal.aborted;) {
    const step = await walker.call('nextFolders', undefined)
    if (step.kind === 'unavailable') throw new MusicFolderError(step.code)
    for (const { folder, isReadable, goneFolders } of step.listings) {
      result.visited.add(folder)
      if (!isReadable) result.unreadable.push(folder)
      result.gone.push(...goneFolders)
    }
    await scanFolders(parts, step.listings, result)
    isLast = step.isLast
  }
}

/** Adds the files of folders that are gone. A walk of all folders finds those deleted before the server started. */
async function addMissingFolders(
  { db, notes }: FolderScanParts,
  { mode }: ScanRequest,
  result: WalkResult,
): Promise<void> {
  if (mode !== 'all' && result.gone.length === 0) return
  const isGone = (folder: string): boolean => {
    if (result.visited.has(folder) || isUnder(result.unreadable, folder)) return false
    return mode === 'all' || isUnder(result.gone, folder)
  }
  for await (const folders of listLibraryFolders(db)) {
    for (const folder of folders.filter(isGone)) {
      for (const place of await listStoredPaths(db, folder)) result.missing.set(place.track_id, place)
    }
  }
  for (const folder of [...notes.keys()].filter(isGone)) notes.delete(folder)
}

/**
 * Returns the missing files without those that are in place after all: they arrived, or another process stored them, since
 * the walk passed.
 */
async function confirmMissing(
  { musicDir }: FolderScanParts,
  { missing }: FolderScanResult,
): Promise<StoredPath[]> {
  const places = [...missing.values()]
  const inPlace = await findInPlace(musicDir, places)
  return places.filter((place) => !inPlace.has(place))
}

/** Forgets the copies of tracks whose file is gone or has changed, so that they are read again. Returns their folders. */
function takeCopies(notes: FolderNotes, { missing, changed }: FolderScanResult): string[] {
  const folders = new Set<string>()
  const outdatedIds = new Set([...missing.keys(), ...changed])
  if (outdatedIds.size === 0) return []
  for (const [folder, { leftOut }] of notes) {
    for (const [path, { copyOf }] of leftOut) {
      if (copyOf === null || !outdatedIds.has(copyOf)) continue
      leftOut.delete(path)
      folders.add(folder)
    }
  }
  return [...folders]
}

function listProblems(notes: FolderNotes): LibraryProblem[] {
  const problems: LibraryProblem[] = []
  for (const note of notes.values()) {
    problems.push(...note.problems)
    for (const [path, { reason }] of note.leftOut) if (reason !== null) problems.push({ path, reason })
  }
  return problems.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function isUnder(folders: string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

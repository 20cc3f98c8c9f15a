import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import type { AudioFile } from './music-folder.ts'
import { folderCover, tagsVersion } from './track-rows.ts'

/** A file that is not listed in the library: it is broken, or a copy of another file. */
export interface LeftOutFile extends Pick<AudioFile, 'size' | 'modifiedAt' | 'changedAt'> {
  /** Why it cannot be used; null for a copy. */
  reason: string | null
  /** The track of which it is a copy. */
  copyOf: string | null
}

/** The work of a scan for some folders: the difference between their files and the catalogue. */
interface ScanPlan {
  /** Stored tracks without a change. */
  kept: LibraryFile[]
  /** Stored tracks whose file is unchanged, but came back or has another cover image. */
  updated: LibraryFile[]
  /** Files to read. */
  fresh: AudioFile[]
  /** Files that are still being written and wait for the next scan. */
  unsettled: AudioFile[]
  /** Files that are known to be broken or copies, and unchanged. */
  leftOut: AudioFile[]
  /** Stored tracks that are not among the files. Their files may have moved. */
  missing: LibraryFile[]
}

interface ScanPlanOptions {
  leftOut: ReadonlyMap<string, LeftOutFile>
  /** By path: the change time with which this process has read a file again. */
  rereadAt: ReadonlyMap<string, number>
  nowMs: number
  settleMs: number
}

/**
 * Plans a scan of folders. `stored` are all rows of these folders. A file with its stored size and times is not read
 * again, unless an older version of the scan read it. One modified within `settleMs` may still be growing and waits.
 * Change times can differ between mounts, so a file is also unchanged if this process has read it with the change time it
 * sees now (`rereadAt`).
 */
export function planScan(
  files: AudioFile[],
  stored: LibraryFile[],
  { leftOut, rereadAt, nowMs, settleMs }: ScanPlanOptions,
): ScanPlan {
  const plan: ScanPlan = { kept: [], updated: [], fresh: [], unsettled: [], leftOut: [], missing: [] }
  const storedByPath = indexByPath(stored)
  const handled = new Set<LibraryFile>()
  for (const file of files) {
    const row = storedByPath.get(file.path)
    const known = leftOut.get(file.path)
    const ageMs = nowMs - file.modifiedAt
    if (row && isAsRead(file, row, rereadAt)) {
      const current = withCover({ ...row, missing_since: null }, file)
      if (isSame(row, current)) plan.kept.push(row)
      else plan.updated.push(current)
      handled.add(row)
    } else if (known && isUnchanged(file, known)) {
      plan.leftOut.push(file)
    } else if (ageMs >= 0 && ageMs < settleMs) {
      plan.unsettled.push(file)
      if (row) {
        if (row.missing_since === null) plan.kept.push(row)
        handled.add(row)
      }
    } else {
      plan.fresh.push(file)
    }
  }
  plan.missing = stored.filter((row) => row.missing_since === null && !handled.has(row))
  return plan
}

/** Whether the row states the file's tags as they are now, read by this version or, while both run, by a newer one. */
function isAsRead(file: AudioFile, row: LibraryFile, rereadAt: ScanPlanOptions['rereadAt']): boolean {
  const isUnchanged = [row.changed_at, rereadAt.get(file.path)].includes(file.changedAt)
  return isAsStored(file, row) && isUnchanged && row.tags_version >= tagsVersion
}

/** Whether size and modification time are those of a row. */
export function isAsStored(file: Pick<AudioFile, 'size' | 'modifiedAt'>, row: LibraryFile): boolean {
  return file.size === row.size && file.modifiedAt === row.modified_at
}

function isUnchanged(file: AudioFile, before: Pick<AudioFile, 'size' | 'modifiedAt' | 'changedAt'>): boolean {
  return (
    file.size === before.size && file.modifiedAt === before.modifiedAt && file.changedAt === before.changedAt
  )
}

/** Returns the row of each path; a present file's where several tracks were at one path. */
export function indexByPath(rows: LibraryFile[]): Map<string, LibraryFile> {
  const missingFirst = rows.toSorted((a, b) => (b.missing_since ?? 0) - (a.missing_since ?? 0))
  return new Map(missingFirst.map((row) => [row.path, row]))
}

function isSame(a: LibraryFile, b: LibraryFile): boolean {
  return (
    a.missing_since === b.missing_since &&
    a.cover_path === b.cover_path &&
    a.cover_version === b.cover_version
  )
}

/** Applies the folder's cover image, unless the file contains a cover of its own. */
function withCover(row: LibraryFile, file: AudioFile): LibraryFile {
  const hasOwnCover = row.has_art === 1 && row.cover_path === null
  return hasOwnCover ? row : { ...row, ...folderCover(file) }
}

import type { LibraryFile } from '../../db/library-files.ts'
import type { AudioFile, FolderListing } from './music-folder.ts'

/** What a scan has to do, from what is in the folder now and what is stored. */
export interface ScanPlan {
  /** Stored tracks that stay as they are. */
  kept: LibraryFile[]
  /** Stored tracks whose file is the same, but the image beside it has come, gone or changed its name. */
  newlyCovered: LibraryFile[]
  /** Files to be read. */
  fresh: AudioFile[]
  /** Files that are being written now: to be looked at later. */
  unsettled: AudioFile[]
}

/**
 * A file whose size and time of change are as stored is not read again. One that changed within `settleMs` may
 * still be growing and waits. What nothing is known of now (in a folder that cannot be read) stays as it is.
 */
export function planScan(
  listing: FolderListing,
  stored: LibraryFile[],
  { nowMs, settleMs }: { nowMs: number; settleMs: number },
): ScanPlan {
  const plan: ScanPlan = { kept: [], newlyCovered: [], fresh: [], unsettled: [] }
  const storedByPath = new Map(stored.map((row) => [row.path, row]))

  for (const file of listing.files) {
    const row = storedByPath.get(file.path)
    const ageMs = nowMs - file.modifiedAt
    if (row && row.size === file.size && row.modified_at === file.modifiedAt) {
      const current = withFolderCover(row, file.coverPath)
      if (current === row) plan.kept.push(row)
      else plan.newlyCovered.push(current)
    } else if (ageMs >= 0 && ageMs < settleMs) {
      plan.unsettled.push(file)
      if (row) plan.kept.push(row)
    } else {
      plan.fresh.push(file)
    }
  }
  plan.kept.push(...stored.filter((row) => listing.unreadable.some((folder) => isUnder(folder, row.path))))
  return plan
}

/** A cover in the file goes before one beside it. */
function withFolderCover(row: LibraryFile, coverPath: string | null): LibraryFile {
  const hasOwnCover = row.has_art === 1 && row.cover_path === null
  if (hasOwnCover || row.cover_path === coverPath) return row
  return { ...row, has_art: coverPath === null ? 0 : 1, cover_path: coverPath }
}

function isUnder(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`)
}

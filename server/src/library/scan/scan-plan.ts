import type { LibraryFile } from '../../db/library-files.ts'
import type { AudioFile, FolderListing } from './music-folder.ts'
import { folderCover, ownCover } from './track-reader.ts'

/** The work of a scan: the difference between the folder and the stored catalogue. */
export interface ScanPlan {
  /** Stored tracks without a change. */
  kept: LibraryFile[]
  /** Stored tracks whose file is unchanged, but whose cover image was added, removed or renamed. */
  newlyCovered: LibraryFile[]
  /** Files to read. */
  fresh: AudioFile[]
  /** Files that are still being written and wait for the next scan. */
  unsettled: AudioFile[]
}

/**
 * Plans a scan. A file with its stored size and modification time is not read again. One modified within `settleMs` may
 * still be growing and waits. Stored tracks in folders that cannot be read are kept.
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
      const current = withCover(row, file)
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

/** Applies the folder's cover image, unless the file contains a cover of its own. */
function withCover(row: LibraryFile, file: AudioFile): LibraryFile {
  const hasOwnCover = row.has_art === 1 && row.cover_path === null
  const cover = hasOwnCover ? ownCover(row.fingerprint) : folderCover(file)
  const isSame = row.cover_path === cover.cover_path && row.cover_version === cover.cover_version
  return isSame ? row : { ...row, ...cover }
}

function isUnder(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`)
}

import { randomBytes } from 'node:crypto'
import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import { folderOf, type AudioFile } from './music-folder.ts'
import type { FileContent } from './file-content.ts'

/** A file that was read, to be matched to a track. */
export interface ReadFile {
  file: AudioFile
  content: FileContent
}

/** `isCopy`: the track already has this content at another path, and keeps it. */
export interface TrackMatch extends ReadFile {
  trackId: string
  isCopy: boolean
}

export interface MatchOptions {
  /** The rows of the files' paths. */
  atPath: ReadonlyMap<string, LibraryFile>
  /** All rows with the content of one of the files, or the id that a new track would get. */
  related: LibraryFile[]
  /** Whether a row's file is still at its path, unchanged. */
  isInPlace: (row: LibraryFile) => boolean
  /** The paths of all files in the folders of these. */
  listed: ReadonlySet<string>
}

/**
 * Decides which track each file is. An id is created once: a file keeps its id at its path, whatever becomes of its
 * content, and with its content, wherever it moves. In order:
 *
 * 1. the track at its path, if it has this content;
 * 2. a track with this content whose file is no longer where it was: it moved here;
 * 3. the track at its path: it was re-tagged or replaced;
 * 4. a copy of a track with this content;
 * 5. a new track.
 */
export function matchTracks(files: ReadFile[], options: MatchOptions): TrackMatch[] {
  const { atPath, related, isInPlace, listed } = options
  const byFingerprint = Map.groupBy(related, (row) => row.fingerprint)
  const takenIds = new Set(related.map((row) => row.track_id))
  /** The ids given so far, by content. */
  const given = new Map<string, string>()
  const givenIds = new Set<string>()

  /** Certain matches come first, so that no new file takes the id of one that moved away from its path. */
  const certainty = ({ file, content: { fingerprint } }: ReadFile): number => {
    if (atPath.get(file.path)?.fingerprint === fingerprint) return 0
    return byFingerprint.has(fingerprint) ? 1 : 2
  }
  const ordered = files.toSorted((a, b) => certainty(a) - certainty(b))

  return ordered.map(({ file, content }) => {
    const { fingerprint } = content
    const here = atPath.get(file.path)
    const same = byFingerprint.get(fingerprint) ?? []
    const free = same.filter((row) => !givenIds.has(row.track_id))
    const give = (trackId: string): TrackMatch => {
      given.set(fingerprint, trackId)
      givenIds.add(trackId)
      return { file, content, trackId, isCopy: false }
    }

    if (here?.fingerprint === fingerprint && !givenIds.has(here.track_id)) return give(here.track_id)
    const isMoved = (row: LibraryFile): boolean =>
      row.missing_since !== null ||
      !isInPlace(row) ||
      (!listed.has(row.path) && isRespelled(row.path, file.path))
    const moved = free.find(isMoved)
    if (moved) return give(moved.track_id)
    if (here && !givenIds.has(here.track_id)) return give(here.track_id)
    const original = given.get(fingerprint) ?? free.at(0)?.track_id
    if (original !== undefined) return { file, content, trackId: original, isCopy: true }
    return give(newTrackId(fingerprint, takenIds))
  })
}

/** Whether two names in a folder differ in case or composition only: some disks find a file by either. */
function isRespelled(before: string, now: string): boolean {
  const fold = (path: string): string => path.normalize('NFC').toLowerCase()
  return folderOf(before) === folderOf(now) && fold(before) === fold(now)
}

/** Returns the id of a new track: as a rule the same one in all processes that scan a folder. */
function newTrackId(fingerprint: string, takenIds: ReadonlySet<string>): string {
  const id = firstTrackId(fingerprint)
  return takenIds.has(id) ? firstTrackId(randomBytes(16).toString('base64url')) : id
}

/** Returns the id that the first track with a content gets. */
export function firstTrackId(fingerprint: string): string {
  return `lib_${fingerprint}`
}

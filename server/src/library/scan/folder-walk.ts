import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderWatch } from './folder-watch.ts'
import { fileErrorCode, type FolderListing, listFolder, MusicFolderError } from './music-folder.ts'

/** Which folders a walk lists. */
export interface WalkOptions {
  /**
   * `all` lists every folder. `changed` lists those whose entries were added, removed or renamed since they were listed
   * last; it does not find files that were changed in place. `only` lists none but those in `folders`.
   */
  mode: 'all' | 'changed' | 'only'
  /** Listed in every mode. */
  folders: string[]
  /** Whether the catalogue has tracks, so that an empty music folder may be a disk that is not mounted. */
  expectsFiles: boolean
  /** Whether to watch the folders that are listed. */
  isWatching: boolean
}

export type WalkStep =
  | { kind: 'folders'; listings: ListedFolder[]; isLast: boolean }
  /** The music folder cannot be read, or is suspiciously empty ('EMPTY'). */
  | { kind: 'unavailable'; code: string }

export interface ListedFolder extends FolderListing {
  /** Folders that were in it when it was listed last, and are not now. */
  goneFolders: string[]
}

interface KnownFolder {
  modifiedMs: number
  subfolders: string[]
}

/** Walks a music folder step by step, and remembers its folders between walks. */
export interface FolderWalk {
  /** Starts a walk; an unfinished one is dropped. */
  start(options: WalkOptions): void
  next(): Promise<WalkStep>
}

export interface FolderWalkParts {
  musicDir: string
  now: () => number
  watch: Pick<FolderWatch, 'add' | 'remove'>
}

const filesPerStep = 200
const foldersPerStep = 40
/** A folder that changed this recently may change again without another modification time. */
const timestampGranularityMs = 2_000

export function createFolderWalk({ musicDir, now, watch }: FolderWalkParts): FolderWalk {
  const known = new Map<string, KnownFolder>()
  let options: WalkOptions = { mode: 'only', folders: [], expectsFiles: false, isWatching: false }
  let pending: string[] = []
  /** The device and inode of the music folder when it was last seen with entries. */
  let seenRoot: string | null = null

  const forget = (folder: string): void => {
    for (const subfolder of known.get(folder)?.subfolders ?? []) forget(subfolder)
    known.delete(folder)
    watch.remove(folder)
  }
  const list = async (folder: string): Promise<ListedFolder> => {
    // Before listing it, so that no change is missed in between.
    const isThere = !options.isWatching || watch.add(folder)
    if (!isThere && folder === '') throw new MusicFolderError('ENOENT')
    const before = known.get(folder)
    const modifiedMs = await modifiedOf(musicDir, folder)
    const listing = await listFolder(musicDir, folder)
    if (folder === '') seenRoot = await checkRoot(musicDir, listing, seenRoot, options.expectsFiles)
    if (!listing.isReadable) return { ...listing, goneFolders: [] }
    const isSettled = now() - modifiedMs > timestampGranularityMs
    known.set(folder, { modifiedMs: isSettled ? modifiedMs : Number.NaN, subfolders: listing.subfolders })
    const current = new Set(listing.subfolders)
    const goneFolders = (before?.subfolders ?? []).filter((subfolder) => !current.has(subfolder))
    goneFolders.forEach(forget)
    // In the other modes, known folders are visited from their parents anyway.
    const isNew = (subfolder: string): boolean => options.mode !== 'only' || !known.has(subfolder)
    pending.push(...listing.subfolders.filter(isNew))
    return { ...listing, goneFolders }
  }
  /** Whether a folder needs no listing. Its known folders are visited nevertheless. */
  const isUnchanged = async (folder: string): Promise<boolean> => {
    const before = known.get(folder)
    if (options.mode !== 'changed' || !before || options.folders.includes(folder)) return false
    if ((await modifiedOf(musicDir, folder)) !== before.modifiedMs) return false
    pending.push(...before.subfolders)
    return true
  }

  return {
    start(next) {
      options = next
      pending = next.mode === 'only' ? [...next.folders] : ['']
    },
    async next() {
      const listings: ListedFolder[] = []
      let fileCount = 0
      try {
        while (pending.length > 0 && fileCount < filesPerStep && listings.length < foldersPerStep) {
          const folder = pending.pop() ?? ''
          if (await isUnchanged(folder)) continue
          const listing = await list(folder)
          fileCount += listing.files.length
          listings.push(listing)
        }
      } catch (error) {
        if (!(error instanceof MusicFolderError)) throw error
        forget('')
        return { kind: 'unavailable', code: error.code }
      }
      return { kind: 'folders', listings, isLast: pending.length === 0 }
    },
  }
}

/** Returns a folder's modification time in ms; NaN, which equals nothing, where it cannot be read. */
async function modifiedOf(musicDir: string, folder: string): Promise<number> {
  try {
    return (await stat(join(musicDir, folder))).mtimeMs
  } catch (error) {
    if (folder === '') throw new MusicFolderError(fileErrorCode(error), { cause: error })
    return Number.NaN
  }
}

/**
 * Returns the identity of a music folder with entries. Throws where it is empty and is not the folder that had entries
 * before: then its disk is probably not mounted, and all tracks would seem to be deleted.
 */
async function checkRoot(
  musicDir: string,
  { isEmpty }: FolderListing,
  seenRoot: string | null,
  expectsFiles: boolean,
): Promise<string | null> {
  const { dev, ino } = await stat(musicDir)
  const identity = `${dev}:${ino}`
  if (!isEmpty) return identity
  if (expectsFiles && identity !== seenRoot) throw new MusicFolderError('EMPTY')
  return seenRoot
}

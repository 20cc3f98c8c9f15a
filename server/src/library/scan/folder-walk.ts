import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { callDisk } from '../disk-calls.ts'
import { isDiscFolder } from './folder-names.ts'
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
  /** Its modification time; null: a walk of changed folders lists it in any case. */
  modifiedMs: number | null
  /** Its device and inode. Another folder may take its place and name, and the system watches the one that was there. */
  identity: string | null
  subfolders: string[]
}

/** Walks a music folder step by step, and remembers its folders between walks. */
interface FolderWalk {
  /** Starts a walk; an unfinished one is dropped. */
  start(options: WalkOptions): void
  next(): Promise<WalkStep>
}

interface FolderWalkParts {
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
    if (options.isWatching && !watch.add(folder) && folder === '') throw new MusicFolderError('ENOENT')
    const before = known.get(folder)
    const seen = await lookAt(musicDir, folder)
    if (before && isOther(before, seen.identity)) forget(folder)
    if (options.isWatching) watch.add(folder)
    const listing = await listFolder(musicDir, folder)
    if (folder === '') seenRoot = await checkRoot(musicDir, listing, seenRoot, options.expectsFiles)
    if (!listing.isReadable) return { ...listing, goneFolders: [] }
    const modifiedMs = isSettled(seen.modifiedMs, now()) ? seen.modifiedMs : null
    known.set(folder, { ...seen, modifiedMs, subfolders: listing.subfolders })
    const goneFolders = missingOf(before?.subfolders ?? [], listing.subfolders)
    goneFolders.forEach(forget)
    if (options.mode !== 'all') listDiscsAgain(known, listing.subfolders)
    pending.push(...(await listDue(musicDir, listing.subfolders, known, options.mode)))
    return { ...listing, goneFolders }
  }
  /** Whether a folder needs no listing. Its known folders are visited nevertheless. */
  const isUnchanged = async (folder: string): Promise<boolean> => {
    const before = known.get(folder)
    if (options.mode !== 'changed' || !before || options.folders.includes(folder)) return false
    if (!(await isAsBefore(musicDir, folder, before))) return false
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

/** Makes walks of changed folders list those of discs, whose cover may be in the folder above, which was listed. */
function listDiscsAgain(known: Map<string, KnownFolder>, folders: readonly string[]): void {
  for (const folder of folders.filter(isDiscFolder)) {
    const before = known.get(folder)
    if (before) known.set(folder, { ...before, modifiedMs: null })
  }
}

/** Returns the folders to visit of those in a folder that was listed. */
async function listDue(
  musicDir: string,
  folders: string[],
  known: ReadonlyMap<string, KnownFolder>,
  mode: WalkOptions['mode'],
): Promise<string[]> {
  const isDue = await Promise.all(folders.map((each) => isVisited(musicDir, each, known.get(each), mode)))
  return folders.filter((_, index) => isDue[index])
}

async function isVisited(
  musicDir: string,
  folder: string,
  before: KnownFolder | undefined,
  mode: WalkOptions['mode'],
): Promise<boolean> {
  if (!before || mode === 'all') return true
  // A walk of changed folders visits the known ones anyway.
  if (mode === 'changed' || isDiscFolder(folder)) return true
  return isOther(before, (await lookAt(musicDir, folder)).identity)
}

async function isAsBefore(musicDir: string, folder: string, before: KnownFolder): Promise<boolean> {
  const { modifiedMs, identity } = await lookAt(musicDir, folder)
  return modifiedMs !== null && modifiedMs === before.modifiedMs && !isOther(before, identity)
}

/** Whether a folder changed so long ago that a later change gets another modification time. */
const isSettled = (modifiedMs: number | null, nowMs: number): boolean =>
  modifiedMs !== null && nowMs - modifiedMs > timestampGranularityMs

/** Returns the names of which a list has no more. */
function missingOf(before: readonly string[], now: readonly string[]): string[] {
  const present = new Set(now)
  return before.filter((name) => !present.has(name))
}

/** Returns a folder's modification time in ms and identity; null where it cannot be read. */
async function lookAt(musicDir: string, folder: string): Promise<Omit<KnownFolder, 'subfolders'>> {
  try {
    const found = await callDisk(() => stat(join(musicDir, folder)))
    return { modifiedMs: found.mtimeMs, identity: identityOf(found) }
  } catch (error) {
    if (folder === '') throw new MusicFolderError(fileErrorCode(error), { cause: error })
    return { modifiedMs: null, identity: null }
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** Whether another folder is there now. */
function isOther(before: KnownFolder, identity: string | null): boolean {
  return identity !== null && before.identity !== null && identity !== before.identity
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
  const identity = identityOf(await stat(musicDir))
  if (!isEmpty) return identity
  if (expectsFiles && identity !== seenRoot) throw new MusicFolderError('EMPTY')
  return seenRoot
}

import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { errorCode } from '../../error-code.ts'
import { callDisk } from '../disk-calls.ts'
import { isDiscFolder, isIgnoredName } from './folder-names.ts'
import { imageTypeOf } from '../../images/image-types.ts'
import { audioMimeType, coverMaxBytes, describeLeftOut, unplayableExtension } from '../file-types.ts'

/** An entry of the music folder that cannot be used, and why. `path` is relative to the folder. */
export interface LibraryProblem {
  path: string
  reason: string
}

export interface AudioFile {
  /** Relative to the music folder, with forward slashes. */
  path: string
  size: number
  /** In whole ms. */
  modifiedAt: number
  /** When anything about it changed, in whole ms: programs that write tags may keep the size and the modification time. */
  changedAt: number
  /** The cover image in the same folder. */
  coverPath: string | null
  /** Changes with that image. Null without one. */
  coverVersion: string | null
}

type FolderCover = Pick<AudioFile, 'coverPath' | 'coverVersion'>

/** The entries of one folder. */
export interface FolderListing {
  /** Relative to the music folder; empty for the music folder itself. */
  folder: string
  files: AudioFile[]
  /** The paths of its folders, without links. */
  subfolders: string[]
  problems: LibraryProblem[]
  /** Whether it could be read. What it contained before stays in the catalogue if it could not. */
  isReadable: boolean
  /** Whether it has no entries at all, not even hidden ones. */
  isEmpty: boolean
}

/** The music folder itself cannot be read. `code` is the file system's, such as 'ENOENT'. */
export class MusicFolderError extends Error {
  override name = 'MusicFolderError'
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`The music folder cannot be read (${code})`, options)
    this.code = code
  }
}

const coverName = /^(?:cover|folder|front)\.(?:jpe?g|png|webp|gif)$/i

/**
 * Lists one folder. Skips ignored names and does not follow links. A folder that was deleted is empty. Throws
 * `MusicFolderError` where the music folder itself cannot be read.
 */
export async function listFolder(musicDir: string, folder: string): Promise<FolderListing> {
  const listing: FolderListing = {
    folder,
    files: [],
    subfolders: [],
    problems: [],
    isReadable: true,
    isEmpty: true,
  }
  const entries = await readEntries(musicDir, folder, listing)
  listing.isEmpty = entries.length === 0
  const visible = entries.filter((entry) => !isIgnoredName(entry.name))
  await addEntries(musicDir, folder, visible, listing)
  listing.subfolders = visible.filter((entry) => entry.isDirectory()).map((entry) => pathIn(folder, entry))
  return listing
}

async function readEntries(musicDir: string, folder: string, listing: FolderListing): Promise<Dirent[]> {
  try {
    return await callDisk(() => readdir(join(musicDir, folder), { withFileTypes: true }))
  } catch (error) {
    const code = fileErrorCode(error)
    if (folder === '') throw new MusicFolderError(code, { cause: error })
    if (isGone(code)) {
      if (isMisread(folder)) listing.problems.push({ path: folder, reason: misreadName })
      return []
    }
    listing.isReadable = false
    listing.problems.push({ path: folder, reason: `This folder cannot be read (${code})` })
    return []
  }
}

const misreadName = 'A name that is not UTF-8 cannot be read: rename it'

/** Whether a name was not UTF-8, so that there is nothing under the name that was read. */
function isMisread(path: string): boolean {
  return path.includes('\uFFFD')
}

/** Whether an error means that a file or folder was deleted or replaced since its name was read. */
export function isGone(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR'
}

const unreadable: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EIO', 'EBADMSG', 'EUCLEAN'])

/**
 * Whether an error means that a file is there, and that its permissions or its disk forbid to read it: asking again
 * does not help.
 */
export function isUnreadable(error: unknown): boolean {
  return unreadable.has(fileErrorCode(error))
}

async function addEntries(
  musicDir: string,
  folder: string,
  entries: Dirent[],
  listing: FolderListing,
): Promise<void> {
  const links = entries.filter((entry) => entry.isSymbolicLink())
  await Promise.all(links.map((link) => reportLink(musicDir, pathIn(folder, link), listing)))
  reportUnplayable(folder, entries, listing)
  const audio = entries.filter((entry) => entry.isFile() && audioMimeType(entry.name) !== null)
  if (audio.length === 0) return
  const cover = await findAlbumCover(musicDir, folder, entries, listing)
  await Promise.all(audio.map((entry) => addFile(musicDir, pathIn(folder, entry), cover, listing)))
}

async function addFile(
  musicDir: string,
  path: string,
  cover: FolderCover,
  listing: FolderListing,
): Promise<void> {
  // The file server could read such a name as a path.
  if (path.includes('\\')) {
    listing.problems.push({ path, reason: 'A name with a backslash cannot be served: rename the file' })
    return
  }
  try {
    const { size, mtimeMs, ctimeMs } = await callDisk(() => lstat(join(musicDir, path)))
    const times = { modifiedAt: Math.floor(mtimeMs), changedAt: Math.floor(ctimeMs) }
    listing.files.push({ path, size, ...times, ...cover })
  } catch (error) {
    const code = fileErrorCode(error)
    if (isMisread(path)) listing.problems.push({ path, reason: misreadName })
    else if (code !== 'ENOENT') listing.problems.push({ path, reason: `This file cannot be read (${code})` })
  }
}

/** Reports audio in other formats, once for each extension: an archive may have thousands of such files. */
function reportUnplayable(folder: string, entries: Dirent[], listing: FolderListing): void {
  const files = entries.filter((entry) => entry.isFile())
  for (const [extension, found] of Map.groupBy(files, ({ name }) => unplayableExtension(name))) {
    const [first, ...others] = found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (extension === null || !first) continue
    const more = others.length === 0 ? '' : ` (and ${others.length} more in this folder)`
    const { problem, remedy } = describeLeftOut(extension)
    listing.problems.push({ path: pathIn(folder, first), reason: `${problem}${more}: ${remedy}` })
  }
}

/** Reports broken links and links out of the folder. Targets inside the folder are found without the link. */
async function reportLink(musicDir: string, path: string, listing: FolderListing): Promise<void> {
  if ((await resolveMusicPath(musicDir, path)) !== null) return
  const isBroken = await callDisk(() => stat(join(musicDir, path))).then(
    () => false,
    () => true,
  )
  const reason = isBroken
    ? 'This link leads nowhere'
    : 'This link leads out of the music folder, and is not followed: mount what it leads to into the folder'
  listing.problems.push({ path, reason })
}

/**
 * Finds the cover image of a folder; of one with a disc of an album also in the folder above, which reports its own
 * problems.
 */
async function findAlbumCover(
  musicDir: string,
  folder: string,
  entries: Dirent[],
  listing: FolderListing,
): Promise<FolderCover> {
  const cover = await findCover(musicDir, folder, entries, listing.problems)
  if (cover.coverPath !== null || !isDiscFolder(folder)) return cover
  const above = folderOf(folder)
  const around = await callDisk(() => readdir(join(musicDir, above), { withFileTypes: true })).catch(() => [])
  return findCover(musicDir, above, around, [])
}

const tooLargeCover = `This cover has more than ${coverMaxBytes / 2 ** 20} MB, so it is not shown`

async function findCover(
  musicDir: string,
  folder: string,
  entries: Dirent[],
  problems: LibraryProblem[],
): Promise<FolderCover> {
  const covers = entries.filter((entry) => entry.isFile() && coverName.test(entry.name))
  for (const path of covers.map((entry) => pathIn(folder, entry)).toSorted()) {
    const absolute = join(musicDir, path)
    if ((await imageTypeOf(absolute)) !== null) {
      // A program that writes tags may replace it at this moment: then its change is listed next.
      const found = await callDisk(() => lstat(absolute)).catch(() => null)
      if (!found) continue
      if (found.size > coverMaxBytes) {
        problems.push({ path, reason: tooLargeCover })
        continue
      }
      return { coverPath: path, coverVersion: Math.floor(found.mtimeMs).toString(36) }
    }
    problems.push({ path, reason: 'This cover is no readable JPEG, PNG, WebP or GIF image' })
  }
  return { coverPath: null, coverVersion: null }
}

function pathIn(folder: string, entry: Dirent): string {
  return folder === '' ? entry.name : `${folder}/${entry.name}`
}

/** Returns the folder of a path in the music folder; empty for the music folder itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/**
 * Resolves a path in the music folder to the real folder and the real path relative to it. Null where nothing is there,
 * or where a link on the way leads out of the folder.
 */
export async function resolveMusicPath(
  musicDir: string,
  path: string,
): Promise<{ root: string; path: string } | null> {
  try {
    const root = await callDisk(() => realpath(musicDir))
    const inside = relative(root, await callDisk(() => realpath(join(root, path))))
    const leadsOut = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    return leadsOut ? null : { root, path: inside.replaceAll(sep, '/') }
  } catch {
    return null
  }
}

/** Returns an error's code, such as 'ENOENT', or its message if it has none. */
export function fileErrorCode(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error))
}

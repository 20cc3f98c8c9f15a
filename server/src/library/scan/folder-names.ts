import { basename } from 'node:path'

/** Folders in which storage devices and desktops keep what was deleted, snapshots and thumbnails, in lower case. */
const systemFolders = new Set([
  '#recycle',
  '@recycle',
  '$recycle.bin',
  'recycler',
  '#snapshot',
  '@recently-snapshot',
  '@eadir',
  'system volume information',
  'lost+found',
])

/** Whether the library takes no notice of an entry of the music folder. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || systemFolders.has(name.toLowerCase())
}

const discFolder = /^(?:cd|dis[ck])[\s._-]*(\d{1,2})(?!\d)/i

/** Whether a folder has one disc of an album, whose cover may be in the folder above. */
export const isDiscFolder = (path: string): boolean => discOfFolder(path) !== null

/** Returns the number of the disc that a folder has, by its name; null for another folder. */
export function discOfFolder(path: string): number | null {
  const [, disc] = discFolder.exec(basename(path)) ?? []
  return disc === undefined ? null : Number(disc)
}

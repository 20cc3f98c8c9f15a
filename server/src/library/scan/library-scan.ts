import type { Clock } from '@earshot/core/clock'
import pLimit from 'p-limit'
import type { Db } from '../../db/database.ts'
import {
  listLibraryFiles,
  markLibraryFilesMissing,
  upsertLibraryFiles,
  type LibraryFile,
} from '../../db/library-files.ts'
import { findTracks, upsertTracks } from '../../db/tracks.ts'
import { UnreadableAudioError } from './audio-tags.ts'
import { fileErrorCode, listMusicFolder, type AudioFile, type LibraryProblem } from './music-folder.ts'
import { planScan } from './scan-plan.ts'
import { artOf, readContent, toFoundTrack, type FoundTrack } from './track-reader.ts'

export interface ScanOptions {
  db: Db
  musicDir: string
  clock: Clock
  /** A file that changed within this time, in ms, may still be growing and waits for the next scan. */
  settleMs: number
  /** Broken files by path, kept between scans so that each is read once. */
  broken: Map<string, BrokenFile>
  signal: AbortSignal
}

export interface BrokenFile {
  size: number
  modifiedAt: number
  reason: string
}

export interface ScanReport {
  /** Tracks that are new, or whose file changed or moved. */
  storedCount: number
  removedCount: number
  unchangedCount: number
  /** Files left for the next scan because they had just changed. */
  unsettledCount: number
  problems: LibraryProblem[]
}

const filesAtOnce = 8
/** Small enough not to delay room commands, large enough not to flush the disk for each track. */
const tracksPerTransaction = 50

/**
 * Updates the catalogue from the music folder. A second copy of a file is the same track and is skipped. Throws
 * `MusicFolderError` where the folder cannot be read, with the catalogue unchanged. An abort keeps the tracks found so
 * far.
 */
export async function scanLibrary(options: ScanOptions): Promise<ScanReport> {
  const { db, musicDir, clock, settleMs, broken, signal } = options
  const listing = await listMusicFolder(musicDir)
  const stored = await listLibraryFiles(db)
  const plan = planScan(listing, stored, { nowMs: clock.now(), settleMs })
  await storeCovers(db, plan.newlyCovered, clock.now())

  const unchanged = [...plan.kept, ...plan.newlyCovered]
  const claimed = new Set(unchanged.map((row) => row.track_id))
  const fresh = await readFresh(options, plan.fresh, claimed)
  const removed = signal.aborted ? [] : stored.map((row) => row.track_id).filter((id) => !claimed.has(id))
  await markLibraryFilesMissing(db, removed, clock.now())
  forgetDeleted(broken, listing.files)
  return {
    storedCount: fresh.storedCount,
    removedCount: removed.length,
    unchangedCount: unchanged.length,
    unsettledCount: plan.unsettled.length,
    problems: [...listing.problems, ...fresh.problems].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Reads and stores files, and adds the id of each stored track to `claimed`. */
async function readFresh(
  options: ScanOptions,
  files: AudioFile[],
  claimed: Set<string>,
): Promise<{ storedCount: number; problems: LibraryProblem[] }> {
  const problems: LibraryProblem[] = []
  const found: FoundTrack[] = []
  let storedCount = 0
  const store = async (): Promise<void> => {
    const batch = found.splice(0)
    storedCount += batch.length
    await storeTracks(options.db, batch, options.clock.now())
  }
  const read = async (file: AudioFile): Promise<void> => {
    if (options.signal.aborted) return
    const result = await readFile(options, file, claimed)
    if (result === null) return
    if ('reason' in result) problems.push(result)
    else found.push(result)
    if (found.length >= tracksPerTransaction) await store()
  }
  await pLimit(filesAtOnce).map(files, read)
  await store()
  return { storedCount, problems }
}

/** Reads one file. Null for a copy of a known track, and for a file that was just deleted. */
async function readFile(
  { musicDir, broken }: ScanOptions,
  file: AudioFile,
  claimed: Set<string>,
): Promise<FoundTrack | LibraryProblem | null> {
  const known = broken.get(file.path)
  if (known && known.size === file.size && known.modifiedAt === file.modifiedAt) {
    return { path: file.path, reason: known.reason }
  }
  broken.delete(file.path)
  try {
    const content = await readContent(musicDir, file)
    const trackId = `lib_${content.fingerprint}`
    if (claimed.has(trackId)) return null
    claimed.add(trackId)
    return toFoundTrack(trackId, file, content)
  } catch (error) {
    if (error instanceof UnreadableAudioError) {
      broken.set(file.path, { size: file.size, modifiedAt: file.modifiedAt, reason: error.message })
      return { path: file.path, reason: error.message }
    }
    const code = fileErrorCode(error)
    return code === 'ENOENT' ? null : { path: file.path, reason: `This file cannot be read (${code})` }
  }
}

function forgetDeleted(broken: Map<string, BrokenFile>, files: AudioFile[]): void {
  const present = new Set(files.map((file) => file.path))
  for (const path of broken.keys()) if (!present.has(path)) broken.delete(path)
}

/**
 * Stores tracks and their files in one transaction, in order of their ids, so that processes that scan one folder at
 * the same time cannot deadlock.
 */
async function storeTracks(db: Db, found: FoundTrack[], nowMs: number): Promise<void> {
  const ordered = found.toSorted((a, b) => (a.track.id < b.track.id ? -1 : 1))
  const tracks = ordered.map(({ track }) => track)
  const files = ordered.map(({ file }) => file)
  await db.transaction().execute(async (change) => {
    await upsertTracks(change, tracks, nowMs)
    await upsertLibraryFiles(change, files)
  })
}

/** Updates the cover of known tracks whose cover image was added, removed or renamed. */
async function storeCovers(db: Db, files: LibraryFile[], nowMs: number): Promise<void> {
  for (let at = 0; at < files.length; at += tracksPerTransaction) {
    const batch = files.slice(at, at + tracksPerTransaction)
    const ids = batch.map((file) => file.track_id)
    const tracks = await findTracks(db, ids)
    const found = batch.flatMap((file) => {
      const track = tracks.get(file.track_id)
      const art = artOf(file)
      return track ? [{ file, track: { ...track, albumArt: art, album_art: art } }] : []
    })
    await storeTracks(db, found, nowMs)
  }
}

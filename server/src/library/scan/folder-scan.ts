import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { inBatches } from '../../async/in-batches.ts'
import { type WorkerCalls, WorkerTimeoutError } from '../../async/worker-calls.ts'
import type { Db } from '../../db/database.ts'
import {
  type StoredPath,
  type LibraryFile,
  listFilesInFolders,
  listRelatedFiles,
  upsertLibraryFiles,
} from '../../db/catalogue/library-files.ts'
import { updateSpellings, upsertAlbumsAndArtists } from '../../db/catalogue/library-albums-artists.ts'
import { findTracks, upsertTracks } from '../../db/tracks.ts'
import { errorCode } from '../../error-code.ts'
import { callDisk } from '../disk-calls.ts'
import type { ListedFolder } from './folder-walk.ts'
import { type AudioFile, folderOf, type LibraryProblem } from './music-folder.ts'
import { indexByPath, isAsStored, type LeftOutFile, planScan } from './scan-plan.ts'
import type { FileReading, ReadCalls } from './read-calls.ts'
import type { ScanCalls } from './scan-calls.ts'
import {
  firstTrackId,
  type MatchOptions,
  matchTracks,
  type ReadFile,
  type TrackMatch,
} from './track-matching.ts'
import { artOf, type FoundTrack, toFoundTrack } from './track-rows.ts'

/** Entries that are not in the catalogue, by folder. Kept between scans. */
export type FolderNotes = Map<string, FolderNote>

interface FolderNote {
  /** Entries that cannot be used, without broken files. */
  problems: LibraryProblem[]
  leftOut: Map<string, LeftOutFile>
  /** By path: with which change time a file was read again of which nothing else had changed. */
  rereadAt: Map<string, number>
}

export interface FolderScanParts {
  db: Db
  musicDir: string
  clock: Clock
  /** A file that changed within this time, in ms, may still be growing and waits for the next scan. */
  settleMs: number
  walker: Pick<WorkerCalls<ScanCalls>, 'call'>
  reader: Pick<WorkerCalls<ReadCalls>, 'call'>
  notes: FolderNotes
  signal: AbortSignal
}

/** The outcome of the folders scanned so far. */
export interface FolderScanResult {
  storedCount: number
  unchangedCount: number
  /** The folders of files that are still being written. */
  unsettledFolders: Set<string>
  /** The files that are not where they were, by track id. */
  missing: Map<string, StoredPath>
  /** Tracks whose file has other content than before. */
  changed: Set<string>
}

/** Small enough not to delay room commands, large enough not to flush the disk for each track. */
const tracksPerTransaction = 50

/** Updates the catalogue from folders that were listed, and adds to `result`. An abort keeps the tracks found so far. */
export async function scanFolders(
  parts: FolderScanParts,
  listings: ListedFolder[],
  result: FolderScanResult,
): Promise<void> {
  const { db, clock, settleMs, notes, signal } = parts
  const readable = listings.filter((listing) => listing.isReadable)
  const stored = await listFilesInFolders(
    db,
    readable.map((listing) => listing.folder),
  )
  const leftOut = new Map(readable.flatMap(({ folder }) => [...(notes.get(folder)?.leftOut ?? [])]))
  const rereadAt = new Map(readable.flatMap(({ folder }) => [...(notes.get(folder)?.rereadAt ?? [])]))
  const files = readable.flatMap((listing) => listing.files)
  const plan = planScan(files, stored, { leftOut, rereadAt, nowMs: clock.now(), settleMs })

  for (const listing of listings) notes.set(listing.folder, startNote(listing, notes.get(listing.folder)))
  for (const { path } of plan.leftOut) noteLeftOut(notes, path, leftOut.get(path))
  for (const { path } of plan.unsettled) result.unsettledFolders.add(folderOf(path))
  for (const row of plan.missing) result.missing.set(row.track_id, row)
  result.unchangedCount += plan.kept.length + plan.updated.length

  await storeUpdated(parts, plan.updated)
  const atPath = indexByPath(stored)
  const listed = new Set(files.map(({ path }) => path))
  for (const batch of inBatches(plan.fresh, tracksPerTransaction)) {
    if (signal.aborted) return
    const found = await readTracks(parts, batch, { atPath, listed })
    await storeTracks(db, found, clock.now())
    for (const { track, file } of found) {
      result.missing.delete(track.id)
      const before = atPath.get(file.path)
      noteReread(notes, file, before)
      if (before?.track_id === track.id && before.fingerprint !== file.fingerprint)
        result.changed.add(track.id)
    }
    result.storedCount += found.length
  }
}

/** Reads files and matches them to tracks. Notes those that are broken or copies. */
async function readTracks(
  parts: FolderScanParts,
  files: AudioFile[],
  around: Pick<MatchOptions, 'atPath' | 'listed'>,
): Promise<FoundTrack[]> {
  const { db, musicDir, notes } = parts
  const readings = await readFiles(parts, files)
  const read: ReadFile[] = []
  for (const [index, file] of files.entries()) {
    const { path, size, modifiedAt, changedAt } = file
    const { content = null, reason = null, isBroken = false } = readings[index] ?? {}
    if (content) read.push({ file, content })
    else if (isBroken) noteLeftOut(notes, path, { size, modifiedAt, changedAt, reason, copyOf: null })
    else if (reason !== null) notes.get(folderOf(path))?.problems.push({ path, reason })
  }
  const fingerprints = read.map(({ content }) => content.fingerprint)
  const related = await listRelatedFiles(db, { fingerprints, trackIds: fingerprints.map(firstTrackId) })
  const present = related.filter((row) => row.missing_since === null)
  const inPlace = await findInPlace(musicDir, present)
  const matches = matchTracks(read, { ...around, related, isInPlace: (row) => inPlace.has(row) })
  for (const match of matches) if (match.isCopy) noteCopy(notes, match)
  return matches
    .filter((match) => !match.isCopy)
    .map(({ trackId, file, content }) => toFoundTrack(trackId, file, content))
}

/**
 * Reads files together. If that exhausts the thread's memory or takes too long, reads each by itself, to find the one
 * that does. Rejects where the disk hangs: it would seem to be each file.
 */
async function readFiles(parts: FolderScanParts, files: AudioFile[]): Promise<FileReading[]> {
  const [first] = files
  try {
    return await parts.reader.call('readFiles', files)
  } catch (error) {
    const failure = describeFailure(error)
    if (!failure || !first) throw error
    await parts.walker.call('awaitDisk', first)
    if (files.length === 1) return [{ content: null, ...failure }]
    const readings: FileReading[] = []
    for (const file of files) readings.push(...(await readFiles(parts, [file])))
    return readings
  }
}

/** Says what a file did to the thread that read it. Null for any other error. */
function describeFailure(error: unknown): Omit<FileReading, 'content'> | null {
  if (error instanceof WorkerTimeoutError) {
    // The disk may be faster later.
    return { reason: 'Reading it takes too long, as on a slow disk', isBroken: false }
  }
  const isOutOfMemory = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory ? { reason: 'Reading it takes too much memory', isBroken: true } : null
}

/** Finds the files that are at their paths, unchanged. */
export async function findInPlace<Place extends StoredPath>(
  musicDir: string,
  places: Place[],
): Promise<Set<Place>> {
  const inPlace = new Set<Place>()
  const check = async (row: Place): Promise<void> => {
    const found = await callDisk(() => lstat(join(musicDir, row.path))).catch(() => null)
    if (found?.size === row.size && Math.floor(found.mtimeMs) === row.modified_at) inPlace.add(row)
  }
  await Promise.all(places.map(check))
  return inPlace
}

/** Starts the note of a folder that was listed: only of an unreadable one the files before are still known. */
function startNote(
  { isReadable, problems, files }: ListedFolder,
  before: FolderNote | undefined,
): FolderNote {
  if (!isReadable) return { leftOut: new Map(), rereadAt: new Map(), ...before, problems }
  const listed = new Set(files.map(({ path }) => path))
  const rereadAt = [...(before?.rereadAt ?? [])].filter(([path]) => listed.has(path))
  return { problems, leftOut: new Map(), rereadAt: new Map(rereadAt) }
}

function noteReread(notes: FolderNotes, file: LibraryFile, before: LibraryFile | undefined): void {
  const { path, size, modified_at: modifiedAt, changed_at: changedAt } = file
  if (before && isAsStored({ size, modifiedAt }, before))
    notes.get(folderOf(path))?.rereadAt.set(path, changedAt)
}

function noteCopy(notes: FolderNotes, { file, trackId }: TrackMatch): void {
  const { path, size, modifiedAt, changedAt } = file
  noteLeftOut(notes, path, { size, modifiedAt, changedAt, reason: null, copyOf: trackId })
}

function noteLeftOut(notes: FolderNotes, path: string, leftOut: LeftOutFile | undefined): void {
  if (leftOut) notes.get(folderOf(path))?.leftOut.set(path, leftOut)
}

/**
 * Stores tracks and their files in one transaction, in order of their ids, so that processes that scan one folder at
 * the same time cannot deadlock.
 */
async function storeTracks(db: Db, found: FoundTrack[], nowMs: number): Promise<void> {
  if (found.length === 0) return
  const ordered = found.toSorted((a, b) => (a.track.id < b.track.id ? -1 : 1))
  const tracks = ordered.map(({ track }) => track)
  const files = ordered.map(({ file }) => file)
  const albumsAndArtists = ordered.flatMap(({ albumAndArtist, track }) =>
    albumAndArtist ? { ...albumAndArtist, trackId: track.id } : [],
  )
  await db.transaction().execute(async (change) => {
    await upsertTracks(change, tracks, nowMs)
    await upsertAlbumsAndArtists(change, albumsAndArtists, nowMs)
    await upsertLibraryFiles(change, files)
    await updateSpellings(change, albumsAndArtists)
  })
}

/** Stores known tracks whose file came back or whose cover image was added, removed, replaced or renamed. */
async function storeUpdated({ db, clock }: FolderScanParts, files: LibraryFile[]): Promise<void> {
  for (const batch of inBatches(files, tracksPerTransaction)) {
    const ids = batch.map((file) => file.track_id)
    const tracks = await findTracks(db, ids)
    const found = batch.flatMap((file) => {
      const track = tracks.get(file.track_id)
      const art = artOf(file)
      return track ? [{ file, track: { ...track, albumArt: art, album_art: art }, albumAndArtist: null }] : []
    })
    await storeTracks(db, found, clock.now())
  }
}

import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import type { Db } from '../../db/database.ts'
import { listLibraryFiles, removeLibraryFiles } from '../../db/library-files.ts'
import { UnreadableAudioError } from './audio-tags.ts'
import { createConcurrencyLimit } from '../../async/concurrency-limit.ts'
import { storeCovers, storeTracks, tracksPerTransaction } from '../catalogue.ts'
import { readTrack, type FoundTrack } from './found-track.ts'
import { listMusicFolder, type AudioFile, type LibraryProblem } from './music-folder.ts'
import { fileErrorCode } from '../music-path.ts'
import { planScan } from './scan-plan.ts'
import { identifyTrack } from '../track-id.ts'

export interface ScanOptions {
  db: Db
  musicDir: string
  clock: Clock
  /** A file that changed within this time, in ms, may still be growing and waits for the next scan. */
  settleMs: number
  /** Broken files by path, kept from scan to scan so that they are not read again and again. */
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
  /** Files that were left for later because they had just changed. */
  unsettledCount: number
  problems: LibraryProblem[]
}

const filesAtOnce = 8

/**
 * Brings the catalogue in line with the music folder. A second copy of a file is the same track and is left out.
 * Throws `MusicFolderError` where the folder cannot be read; the catalogue is then as it was. An abort leaves what
 * was found until then.
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
  await removeLibraryFiles(db, removed)
  forgetGone(broken, listing.files)
  return {
    storedCount: fresh.storedCount,
    removedCount: removed.length,
    unchangedCount: unchanged.length,
    unsettledCount: plan.unsettled.length,
    problems: [...listing.problems, ...fresh.problems].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Reads and stores files, and claims the id of each track that it stores. */
async function readFresh(
  options: ScanOptions,
  files: AudioFile[],
  claimed: Set<string>,
): Promise<{ storedCount: number; problems: LibraryProblem[] }> {
  const limit = createConcurrencyLimit(filesAtOnce)
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
  await Promise.all(files.map((file) => limit(() => read(file))))
  await store()
  return { storedCount, problems }
}

/** Null for a copy of a track that is there already, and for a file that has just gone. */
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
    if (file.size === 0) throw new UnreadableAudioError('The file is empty')
    const trackId = await identifyTrack(join(musicDir, file.path), file.size)
    if (claimed.has(trackId)) return null
    const track = await readTrack(musicDir, file, trackId)
    if (claimed.has(trackId)) return null
    claimed.add(trackId)
    return track
  } catch (error) {
    if (error instanceof UnreadableAudioError) {
      broken.set(file.path, { size: file.size, modifiedAt: file.modifiedAt, reason: error.message })
      return { path: file.path, reason: error.message }
    }
    const code = fileErrorCode(error)
    return code === 'ENOENT' ? null : { path: file.path, reason: `This file cannot be read (${code})` }
  }
}

function forgetGone(broken: Map<string, BrokenFile>, files: AudioFile[]): void {
  const present = new Set(files.map((file) => file.path))
  for (const path of broken.keys()) if (!present.has(path)) broken.delete(path)
}

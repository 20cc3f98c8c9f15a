import { trackArtPath } from '@earshot/core/protocol/http-api'
import type { Db } from '../db/database.ts'
import { upsertLibraryFiles, type LibraryFile } from '../db/library-files.ts'
import { findTracks, upsertTracks } from '../db/tracks.ts'
import type { FoundTrack } from './scan/track-reader.ts'

/** Few enough that nobody's command waits long behind them, enough that the disk is not flushed for each. */
export const tracksPerTransaction = 50

/**
 * Stores tracks together with their files, all or none. In order of their ids: processes that scan one folder at the
 * same time then wait for each other's rows, and never in a circle.
 */
export async function storeTracks(db: Db, found: FoundTrack[], nowMs: number): Promise<void> {
  const ordered = found.toSorted((a, b) => (a.track.id < b.track.id ? -1 : 1))
  const tracks = ordered.map(({ track }) => track)
  const files = ordered.map(({ file }) => file)
  await db.transaction().execute(async (change) => {
    await upsertTracks(change, tracks, nowMs)
    await upsertLibraryFiles(change, files)
  })
}

/** Stores files of known tracks that got, lost or changed the cover beside them. */
export async function storeCovers(db: Db, files: LibraryFile[], nowMs: number): Promise<void> {
  for (let at = 0; at < files.length; at += tracksPerTransaction) {
    const batch = files.slice(at, at + tracksPerTransaction)
    const ids = batch.map((file) => file.track_id)
    const tracks = await findTracks(db, ids)
    const found = batch.flatMap((file) => {
      const track = tracks.get(file.track_id)
      const art = file.has_art === 1 ? trackArtPath(file.track_id) : null
      return track ? [{ file, track: { ...track, albumArt: art, album_art: art } }] : []
    })
    await storeTracks(db, found, nowMs)
  }
}

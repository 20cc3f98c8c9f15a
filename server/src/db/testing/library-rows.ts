import type { Track } from '@earshot/core/protocol/entities'
import { upsertLibraryFiles, type LibraryFile } from '../catalogue/library-files.ts'
import { upsertTracks } from '../tracks.ts'
import type { Db } from '../database.ts'

/** Rows of the music library without a folder of files. */

export function makeTrack(title: string, artist: string, album: string): Track {
  const id = `lib_${title}-${artist}`
  const track = { id, title, artist, album, duration: 1_000, source: 'library' as const }
  return { ...track, albumArt: null, album_art: null, url: null, uri: null }
}

export function makeFile(track: Track, path = `${track.title}.mp3`): LibraryFile {
  const lines = (...parts: string[]): string => parts.map((part) => part.toLowerCase()).join('\n')
  return {
    track_id: track.id,
    path,
    size: 3_000_000_000,
    modified_at: 1_700_000_000_000,
    changed_at: 1_700_000_000_000,
    tags_version: 1,
    mime_type: 'audio/mpeg',
    has_art: 0,
    cover_path: null,
    search_text: lines(track.title, track.artist, track.album),
    sort_text: lines(track.artist, track.album, track.title),
    folder: '',
    fingerprint: track.id.slice(4),
    cover_version: null,
    missing_since: null,
    album_id: null,
    artist_id: null,
    disc_number: 0,
    track_number: 0,
  }
}

export async function store(db: Db, tracks: Track[]): Promise<void> {
  await upsertTracks(db, tracks, 1)
  await upsertLibraryFiles(
    db,
    tracks.map((track) => makeFile(track)),
  )
}

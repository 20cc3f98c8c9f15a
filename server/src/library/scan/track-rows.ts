import { createHash } from 'node:crypto'
import { trackArtPath } from '@earshot/core/protocol/media-paths'
import { toDurationFields } from '@earshot/core/sync/duration'
import type { Track } from '@earshot/core/protocol/entities'
import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import type { AlbumAndArtist } from '../../db/catalogue/library-albums-artists.ts'
import { foldLines } from '../search-text.ts'
import { albumAndArtistOf } from './album-and-artist.ts'
import type { FileContent } from './file-content.ts'
import { folderOf, type AudioFile } from './music-folder.ts'

/** The rows of an audio file: its track, its path in the music folder, its album and artist. */
export interface FoundTrack {
  track: Track
  file: LibraryFile
  /** Null for a file that was not read again: they are stored. */
  albumAndArtist: AlbumAndArtist | null
}

/** Raise it when the scan reads other tags than before: the next one then reads all files again. */
export const tagsVersion = 2

/** Also the name of the file in the cache. */
const coverVersionLength = 16

/** Returns the rows of a file that was read. */
export function toFoundTrack(
  trackId: string,
  file: AudioFile,
  { fingerprint, mimeType, tags }: FileContent,
): FoundTrack {
  const { title, artist, album, durationMs } = tags
  const cover = tags.coverHash === null ? folderCover(file) : ownCover(fingerprint, tags.coverHash)
  const albumAndArtist = albumAndArtistOf(tags)
  const row: LibraryFile = {
    track_id: trackId,
    path: file.path,
    size: file.size,
    modified_at: file.modifiedAt,
    changed_at: file.changedAt,
    tags_version: tagsVersion,
    mime_type: mimeType,
    ...cover,
    search_text: foldLines([title, artist, album]),
    sort_text: foldLines([artist, album, title]),
    folder: folderOf(file.path),
    fingerprint,
    missing_since: null,
    album_id: albumAndArtist.album?.id ?? null,
    artist_id: albumAndArtist.artist?.id ?? null,
    disc_number: tags.discNumber ?? 1,
    track_number: tags.trackNumber ?? 0,
  }
  const art = artOf(row)
  const track: Track = {
    id: trackId,
    title,
    artist,
    album,
    ...toDurationFields(durationMs),
    source: 'library',
    albumArt: art,
    album_art: art,
    ...(tags.gainDb === null ? {} : { gain_db: tags.gainDb }),
    ...(tags.peak === null ? {} : { peak: tags.peak }),
    ...(tags.albumGainDb === null ? {} : { album_gain_db: tags.albumGainDb }),
    ...(tags.albumPeak === null ? {} : { album_peak: tags.albumPeak }),
  }
  return { track, file: row, albumAndArtist }
}

type Cover = Pick<LibraryFile, 'has_art' | 'cover_path' | 'cover_version'>

/** Returns the columns of a cover in the file itself, which the fingerprint may not comprise. */
function ownCover(fingerprint: string, coverHash: string): Cover {
  const hash = createHash('sha256').update(fingerprint).update(coverHash).digest('base64url')
  return { has_art: 1, cover_path: null, cover_version: hash.slice(0, coverVersionLength) }
}

/** Returns the columns of the cover image in the file's folder. */
export function folderCover({ coverPath, coverVersion }: AudioFile): Cover {
  return { has_art: coverPath === null ? 0 : 1, cover_path: coverPath, cover_version: coverVersion }
}

/** Returns the address of a file's cover. It changes with the cover, so that browsers may keep it for ever. */
export function artOf({ track_id: id, cover_version: version }: LibraryFile): string | null {
  return version === null ? null : trackArtPath(id, version)
}

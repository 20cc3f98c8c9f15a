/** The tables of the music library. */

export interface LibraryFilesTable {
  track_id: string
  /** Relative to the music folder, with forward slashes. */
  path: string
  size: number
  modified_at: number
  /** When the file's content, name or permissions changed last. -1 for one to read again. */
  changed_at: number
  /** Which version of the scan read its tags. */
  tags_version: number
  mime_type: string
  has_art: number
  /** The cover image in the file's folder, relative to the music folder; null where the file contains its cover. */
  cover_path: string | null
  /** Title, artist and album, one per line, without case and accents, for searching. */
  search_text: string
  /** Artist, album and title in the same form, for browsing in order. */
  sort_text: string
  /** The folder of the path; empty for the music folder itself. */
  folder: string
  /** Identifies the file's content, wherever the file is. */
  fingerprint: string
  /** Changes with the cover: part of its address. Null without a cover. */
  cover_version: string | null
  /** When a scan found the file gone; null while it is present. */
  missing_since: number | null
  album_id: string | null
  /** The album's artist; without an album the track's. */
  artist_id: string | null
  /** 1 if unknown, so that it sorts among those of the first disc. */
  disc_number: number
  /** 0 if unknown. */
  track_number: number
}

/** The albums that library files name. A row outlives its files, as theirs do. */
export interface LibraryAlbumsTable {
  /** Derived from title and artist. */
  id: string
  title: string
  /** Empty if unknown. */
  artist: string
  artist_id: string | null
  year: number | null
  /** Title and artist, one per line, without case, accents and a leading article. */
  sort_text: string
  /** The year before that: the order of an artist's albums. */
  release_text: string
  /** Title and artist in the form of searches. */
  search_text: string
  /** When a scan first found it. */
  added_at: number
}

/** The artists of albums, and of tracks without one. A row outlives its files. */
export interface LibraryArtistsTable {
  /** Derived from the name. */
  id: string
  name: string
  sort_text: string
  search_text: string
}

/** The waveforms of library files, by their content. */
export interface LibraryWaveformsTable {
  fingerprint: string
  /** In base64; null for a file that cannot be decoded. */
  peaks: string | null
}

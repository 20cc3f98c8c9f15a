import { createHash } from 'node:crypto'
import type { AlbumAndArtist } from '../../db/catalogue/library-albums-artists.ts'
import { foldLines, foldText } from '../search-text.ts'
import type { AudioTags } from './audio-tags.ts'

/** Sorts behind every year. */
const unknownYear = '9999'
/** Not sorted by, unless there is nothing else in the name. */
const article = /^(?:the|an?) (?=.)/

/**
 * Returns the album and the artist under which a file is found. Names that differ in case and accents only are one. A
 * file without an album is under its artist; one without an artist under none.
 */
export function albumAndArtistOf(
  tags: Pick<AudioTags, 'album' | 'albumArtist' | 'artist' | 'year'>,
): AlbumAndArtist {
  const { album, albumArtist, year } = tags
  const hasAlbum = foldText(album) !== ''
  const name = hasAlbum ? albumArtist : tags.artist
  const artist = foldText(name) === '' ? null : toArtist(name)
  if (!hasAlbum) return { artist, album: null }
  const sortText = toSortText([album, name])
  return {
    artist,
    album: {
      id: toId('alb', [album, name]),
      title: album,
      artist: artist === null ? '' : name,
      artist_id: artist?.id ?? null,
      year,
      sort_text: sortText,
      release_text: `${year === null ? unknownYear : String(year).padStart(4, '0')}\n${sortText}`,
      search_text: foldLines([album, name]),
    },
  }
}

function toArtist(name: string) {
  return { id: toId('art', [name]), name, sort_text: toSortText([name]), search_text: foldLines([name]) }
}

function toSortText(lines: string[]): string {
  return foldLines(lines.map((line) => foldText(line).replace(article, '')))
}

function toId(kind: 'alb' | 'art', names: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(names.map((name) => foldText(name))))
  return `${kind}_${hash.digest('base64url').slice(0, 22)}`
}

import { createHash } from 'node:crypto'
import { songs, type Song } from '../songs.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A track of the double's catalogue. */
export interface CatalogueTrack extends Song {
  /** 22 characters of base 62, as the real ids. */
  id: string
  isExplicit: boolean
  isPlayable: boolean
  /** The id of the release that the player plays in its place, in the listener's country. */
  relinkedId?: string
  /** How the Web API takes a start of it: refused, or accepted without effect. Absent for a track that starts. */
  onStart?: 'refused' | 'ignored'
}

/** Makes a track of a song. One in nine is explicit; one, 'Hum', is not playable in the listener's country. */
export function toCatalogueTrack(song: Song, index = 0): CatalogueTrack {
  return {
    ...song,
    id: toSpotifyId(`track ${song.artist} ${song.title}`),
    isExplicit: index % 9 === 4,
    isPlayable: song.title !== 'Hum',
  }
}

export const catalogue: readonly CatalogueTrack[] = songs.map((song, index) => toCatalogueTrack(song, index))

/** Derives an id of 22 characters of base 62 from a text: the same text, the same id. */
export function toSpotifyId(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  return Array.from(bytes.subarray(0, 22), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** Searches as the Web API does: every word must occur; `isrc:`, `track:`, `artist:` and `album:` narrow a field. */
export function searchCatalogue(tracks: readonly CatalogueTrack[], query: string): CatalogueTrack[] {
  const terms = parseTerms(query)
  return tracks.filter((track) => terms.every(({ field, text }) => fieldText(track, field).includes(text)))
}

const termPattern = /(?:(isrc|track|artist|album):)?(?:"([^"]*)"|(\S+))/gi

function parseTerms(query: string): { field: string; text: string }[] {
  return [...query.toLowerCase().matchAll(termPattern)].map(([, field = '', quoted, word]) => ({
    field,
    text: quoted ?? word ?? '',
  }))
}

function fieldText(track: CatalogueTrack, field: string): string {
  const fields: Record<string, string> = {
    isrc: track.isrc ?? '',
    track: track.title,
    artist: track.artist,
    album: track.album,
  }
  return (fields[field] ?? `${track.title} ${track.artist} ${track.album}`).toLowerCase()
}

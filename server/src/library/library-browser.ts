import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { AlbumTrack, LibraryAlbum, LibraryArtist } from '@earshot/core/protocol/library-calls'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import {
  findAlbum,
  findArtist,
  listAlbumsByTitle,
  listAlbumsOfArtist,
  listAlbumTracks,
  listArtistsByName,
  listFirstCharacters,
  type ListedAlbum,
  type ListedArtist,
  listRecentAlbums,
  listSingleTracks,
  type SortKey,
  searchAlbums,
  searchArtists,
} from '../db/catalogue/library-browse.ts'
import { cursorText, readCursor, writeCursor } from '../list-cursor.ts'
import { findTracks } from '../db/tracks.ts'
import { foldText, searchWords } from './search-text.ts'
import { serverLimits } from '../server-limits.ts'

/** Reads the music library by albums and artists, as clients see them. */

/** Where a list starts: behind the last row of a page, or at letters. */
interface ListStart {
  from?: string | undefined
  cursor?: string | undefined
}

interface AlbumPage {
  albums: LibraryAlbum[]
  nextCursor: string | null
}

const placeKey = z.tuple([cursorText, cursorText])
const number = z.number().int().min(0).max(10_000)
const albumTrackKey = z.tuple([number, number, cursorText, cursorText])
const pageSize = serverLimits.libraryPageSize
const tracksPageSize = serverLimits.libraryTracksPageSize

export async function readRecentAlbums(db: Db): Promise<LibraryAlbum[]> {
  return toAlbums(db, await listRecentAlbums(db, serverLimits.libraryRecentAlbums))
}

/** Reads albums by title; with an artist, theirs by year. Throws `invalid_input` for a cursor of another list. */
export async function readAlbums(
  db: Db,
  { artistId, ...start }: ListStart & { artistId?: string | undefined },
): Promise<AlbumPage> {
  const page = toPlacePage(start)
  const rows =
    artistId === undefined ? await listAlbumsByTitle(db, page) : await listAlbumsOfArtist(db, artistId, page)
  const { shown, nextCursor } = toPage(rows, pageSize, (row) => [
    artistId === undefined ? row.sort_text : row.release_text,
    row.id,
  ])
  return { albums: await toAlbums(db, shown), nextCursor }
}

/** Reads an album with its tracks in order. Throws `not_found`, and as `readAlbums` does. */
export async function readAlbum(
  db: Db,
  albumId: string,
  cursor?: string,
): Promise<{ album: LibraryAlbum; tracks: AlbumTrack[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : readCursor(albumTrackKey, cursor)
  const found = await findAlbum(db, albumId)
  const [album] = found ? await toAlbums(db, [found]) : []
  if (!album) throw new AppError('not_found')
  const rows = await listAlbumTracks(db, albumId, { after, limit: tracksPageSize + 1 })
  const { shown, nextCursor } = toPage(rows, tracksPageSize, (row) => row.key)
  const tracks = shown.map(({ track, key: [disc, place] }) => ({
    track,
    disc: disc === 0 ? null : disc,
    number: place === 0 ? null : place,
  }))
  return { album, tracks, nextCursor }
}

/** Reads artists by name. Throws as `readAlbums` does. */
export async function readArtists(
  db: Db,
  start: ListStart,
): Promise<{ artists: LibraryArtist[]; nextCursor: string | null }> {
  const rows = await listArtistsByName(db, toPlacePage(start))
  const { shown, nextCursor } = toPage(rows, pageSize, (row) => [row.sort_text, row.id])
  return { artists: await toArtists(db, shown), nextCursor }
}

/** More than any alphabet has; a catalogue in Chinese characters can have more. */
const charactersMax = 2_000

/** Reads the letters and digits at which albums or artists start; of very many as many as may be sent, evenly. */
export async function readLetters(db: Db, of: 'albums' | 'artists'): Promise<string[]> {
  const characters = await listFirstCharacters(db, of, charactersMax)
  const letters = characters.filter((character) => /[\p{L}\p{N}]/u.test(character))
  const step = Math.ceil(letters.length / serverLimits.libraryLettersMax)
  return letters.filter((_letter, index) => index % step === 0)
}

/** Reads an artist with the tracks that are on no album. Throws as `readAlbum` does. */
export async function readArtist(
  db: Db,
  artistId: string,
  cursor?: string,
): Promise<{ artist: LibraryArtist; tracks: Track[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : readCursor(placeKey, cursor)
  const found = await findArtist(db, artistId)
  const [artist] = found ? await toArtists(db, [found]) : []
  if (!artist) throw new AppError('not_found')
  const rows = await listSingleTracks(db, artistId, { after, limit: tracksPageSize + 1 })
  const { shown, nextCursor } = toPage(rows, tracksPageSize, (row) => row.key)
  return { artist, tracks: shown.map(({ track }) => track), nextCursor }
}

/** Finds albums and artists by words of their names, without regard to case and accents. */
export async function searchAlbumsAndArtists(
  db: Db,
  searchText: string,
): Promise<{ albums: LibraryAlbum[]; artists: LibraryArtist[] }> {
  const phrase = foldText(searchText)
  if (phrase === '') return { albums: [], artists: [] }
  const terms = { phrase, words: searchWords(phrase) }
  const [albums, artists] = await Promise.all([
    searchAlbums(db, terms, serverLimits.libraryMatchesMax),
    searchArtists(db, terms, serverLimits.libraryMatchesMax),
  ])
  return { albums: await toAlbums(db, albums), artists: await toArtists(db, artists) }
}

/** One row more than a page: it tells whether there is another page. */
function toPlacePage({ from, cursor }: ListStart) {
  const start: SortKey | null = from === undefined ? null : [foldText(from), '']
  return { after: cursor === undefined ? start : readCursor(placeKey, cursor), limit: pageSize + 1 }
}

function toPage<Row>(rows: Row[], size: number, keyOf: (row: Row) => (string | number)[]) {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return { shown, nextCursor: rows.length > size && last ? writeCursor(keyOf(last)) : null }
}

async function toAlbums(db: Db, rows: ListedAlbum[]): Promise<LibraryAlbum[]> {
  const imageOf = await readImages(db, rows)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    artist: row.artist,
    artistId: row.artist_id,
    year: row.year,
    image: imageOf(row),
  }))
}

async function toArtists(db: Db, rows: ListedArtist[]): Promise<LibraryArtist[]> {
  const imageOf = await readImages(db, rows)
  return rows.map((row) => ({ id: row.id, name: row.name, image: imageOf(row) }))
}

async function readImages(db: Db, rows: { first_track_id: string }[]) {
  const tracks = await findTracks(
    db,
    rows.map((row) => row.first_track_id),
  )
  return (row: { first_track_id: string }): string | null => tracks.get(row.first_track_id)?.album_art ?? null
}

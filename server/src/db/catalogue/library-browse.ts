import { type RawBuilder, sql } from 'kysely'
import { type Db, engineOf } from '../database.ts'
import type { LibraryAlbumsTable, LibraryArtistsTable } from './library-schema.ts'
import { toTrack } from '../tracks.ts'
import type { Track } from '@earshot/core/protocol/entities'

/**
 * Reads the library by albums and artists. Only those with a file that is present are listed. Each list continues behind
 * the sort key of a row, so that a page costs the same wherever it is.
 */

/** A sort text and an id. */
export type SortKey = [string, string]

interface PlacePage {
  /** The key of the last row that is known; null from the start. */
  after: SortKey | null
  limit: number
}

/** `first_track_id`: a file that is present, whose cover stands for all of them. */
export type ListedAlbum = LibraryAlbumsTable & { first_track_id: string }
export type ListedArtist = LibraryArtistsTable & { first_track_id: string }

/** Folded as `search_text` is. */
interface SearchTerms {
  phrase: string
  words: string[]
}

/** Scalar, so that no planner turns them into a join with all files. */
export const firstOfAlbum = sql<string | null>`(select track_id from library_files
  where album_id = library_albums.id and missing_since is null
  order by disc_number, track_number, sort_text, track_id limit 1)`
export const firstOfArtist = sql<string | null>`(select track_id from library_files
  where artist_id = library_artists.id and missing_since is null order by track_id limit 1)`

/** Lists albums by title. */
export async function listAlbumsByTitle(db: Db, page: PlacePage): Promise<ListedAlbum[]> {
  const { rows } = await sql<ListedAlbum>`
    select library_albums.*, ${firstOfAlbum} as first_track_id from library_albums
    where ${behind('sort_text', page.after)} and ${firstOfAlbum} is not null
    order by sort_text, id limit ${page.limit}`.execute(db)
  return rows
}

/** Lists the albums of an artist by year. */
export async function listAlbumsOfArtist(db: Db, artistId: string, page: PlacePage): Promise<ListedAlbum[]> {
  const { rows } = await sql<ListedAlbum>`
    select library_albums.*, ${firstOfAlbum} as first_track_id from library_albums
    where artist_id = ${artistId} and ${behind('release_text', page.after)} and ${firstOfAlbum} is not null
    order by release_text, id limit ${page.limit}`.execute(db)
  return rows
}

/** Lists the albums that came last. */
export async function listRecentAlbums(db: Db, limit: number): Promise<ListedAlbum[]> {
  const { rows } = await sql<ListedAlbum>`
    select library_albums.*, ${firstOfAlbum} as first_track_id from library_albums
    where ${firstOfAlbum} is not null order by added_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Lists artists by name. */
export async function listArtistsByName(db: Db, page: PlacePage): Promise<ListedArtist[]> {
  const { rows } = await sql<ListedArtist>`
    select library_artists.*, ${firstOfArtist} as first_track_id from library_artists
    where ${behind('sort_text', page.after)} and ${firstOfArtist} is not null
    order by sort_text, id limit ${page.limit}`.execute(db)
  return rows
}

/** Behind all texts that begin with a letter. */
const lastCharacter = '\u{10ffff}'

/** Lists the first characters of albums or artists in their order. Seeks from each to the next, past what is between. */
export async function listFirstCharacters(
  db: Db,
  of: 'albums' | 'artists',
  limit: number,
): Promise<string[]> {
  const table = sql.table(of === 'albums' ? 'library_albums' : 'library_artists')
  const first = of === 'albums' ? firstOfAlbum : firstOfArtist
  const next = (from: RawBuilder<string>) => sql<string | null>`(select substr(sort_text, 1, 1) from ${table}
    where sort_text > ${from} and ${first} is not null order by sort_text limit 1)`
  const { rows } = await sql<{ letter: string }>`
    with recursive firsts(letter) as (
      select ${next(sql`''`)}
      union all
      select ${next(sql`letter || cast(${lastCharacter} as text)`)} from firsts where letter is not null
    ) select letter from firsts where letter is not null limit ${limit}`.execute(db)
  return rows.map(({ letter }) => letter)
}

/** Finds an album with a file that is present. */
export async function findAlbum(db: Db, albumId: string): Promise<ListedAlbum | null> {
  const { rows } = await sql<ListedAlbum>`
    select library_albums.*, ${firstOfAlbum} as first_track_id from library_albums
    where id = ${albumId} and ${firstOfAlbum} is not null`.execute(db)
  return rows[0] ?? null
}

/** Finds an artist with a file that is present. */
export async function findArtist(db: Db, artistId: string): Promise<ListedArtist | null> {
  const { rows } = await sql<ListedArtist>`
    select library_artists.*, ${firstOfArtist} as first_track_id from library_artists
    where id = ${artistId} and ${firstOfArtist} is not null`.execute(db)
  return rows[0] ?? null
}

/** Disc, number, sort text and id. */
type AlbumTrackKey = [number, number, string, string]

interface AlbumRow {
  track: Track
  key: AlbumTrackKey
}

/** Lists the tracks of an album in order. */
export async function listAlbumTracks(
  db: Db,
  albumId: string,
  { after, limit }: { after: AlbumTrackKey | null; limit: number },
): Promise<AlbumRow[]> {
  let query = db
    .selectFrom('library_files')
    .innerJoin('tracks', 'tracks.id', 'library_files.track_id')
    .selectAll('tracks')
    .select(['disc_number', 'track_number', 'sort_text'])
    .where('album_id', '=', albumId)
    .where('missing_since', 'is', null)
  if (after !== null) {
    query = query.where(sql<boolean>`(disc_number, track_number, sort_text, track_id) > (${sql.join(after)})`)
  }
  const rows = await query
    .orderBy('disc_number')
    .orderBy('track_number')
    .orderBy('sort_text')
    .orderBy('track_id')
    .limit(limit)
    .execute()
  return rows.map(({ disc_number: disc, track_number: number, sort_text: text, ...row }) => ({
    track: toTrack(row),
    key: [disc, number, text, row.id],
  }))
}

/** Lists the tracks of an artist that are on no album. */
export async function listSingleTracks(
  db: Db,
  artistId: string,
  { after, limit }: PlacePage,
): Promise<{ track: Track; key: SortKey }[]> {
  let query = db
    .selectFrom('library_files')
    .innerJoin('tracks', 'tracks.id', 'library_files.track_id')
    .selectAll('tracks')
    .select('sort_text')
    .where('artist_id', '=', artistId)
    .where('album_id', 'is', null)
    .where('missing_since', 'is', null)
  if (after !== null) query = query.where(sql<boolean>`(sort_text, track_id) > (${sql.join(after)})`)
  const rows = await query.orderBy('sort_text').orderBy('track_id').limit(limit).execute()
  return rows.map(({ sort_text: text, ...row }) => ({ track: toTrack(row), key: [text, row.id] }))
}

/** Further matches may take the place of those without a file. */
const candidatesPerMatch = 5

/** Finds albums whose title and artist contain every word, first those that begin with the phrase. */
export async function searchAlbums(db: Db, terms: SearchTerms, limit: number): Promise<ListedAlbum[]> {
  const { rows } = await sql<ListedAlbum>`
    select library_albums.*, ${firstOfAlbum} as first_track_id from library_albums
    where id in (${candidates(db, sql.table('library_albums'), terms, limit)}) and ${firstOfAlbum} is not null
    order by ${rank(db, terms)}, sort_text, id limit ${limit}`.execute(db)
  return rows
}

/** Finds artists whose name contains every word, first those that begin with the phrase. */
export async function searchArtists(db: Db, terms: SearchTerms, limit: number): Promise<ListedArtist[]> {
  const { rows } = await sql<ListedArtist>`
    select library_artists.*, ${firstOfArtist} as first_track_id from library_artists
    where id in (${candidates(db, sql.table('library_artists'), terms, limit)}) and ${firstOfArtist} is not null
    order by ${rank(db, terms)}, sort_text, id limit ${limit}`.execute(db)
  return rows
}

function candidates(
  db: Db,
  table: RawBuilder<unknown>,
  terms: SearchTerms,
  limit: number,
): RawBuilder<unknown> {
  const containsAll = sql.join(
    terms.words.map((word) => sql`${placeIn(db, word)} > 0`),
    sql` and `,
  )
  return sql`select id from (select id from ${table} where ${containsAll}
    order by ${rank(db, terms)}, sort_text, id limit ${limit * candidatesPerMatch}) as candidates`
}

function rank(db: Db, { phrase }: SearchTerms): RawBuilder<number> {
  return sql`case when ${placeIn(db, phrase)} = 1 then 0 else 1 end`
}

/** Where a word begins in the row's search text, from 1; 0 if nowhere. */
function placeIn(db: Db, word: string): RawBuilder<number> {
  return engineOf(db) === 'sqlite' ? sql`instr(search_text, ${word})` : sql`strpos(search_text, ${word})`
}

function behind(column: 'sort_text' | 'release_text', after: SortKey | null): RawBuilder<boolean> {
  return after === null ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.ref(column)}, id) > (${sql.join(after)})`
}

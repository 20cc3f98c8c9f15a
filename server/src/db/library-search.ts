import type { Track } from '@earshot/core/protocol/entities'
import { limits } from '@earshot/core/limits'
import { sql, type RawBuilder } from 'kysely'
import { engineOf, type Db } from './database.ts'
import { findTracks } from './tracks.ts'

/** Searches in the music library, by indexes of trigrams: three consecutive characters. */

export interface TrackPage {
  tracks: Track[]
  /** The number of tracks on all pages. */
  total: number
}

export interface PageBounds {
  offset: number
  limit: number
}

/** Folded as `search_text` is. */
interface SearchTerms {
  phrase: string
  words: string[]
}

interface Row {
  track_id: string
}

const trigramLength = 3
const trigramsPerWord = 200
/** Sorts after every character, in UTF-8. */
const lastCharacter = '\u{10ffff}'

/**
 * Finds the tracks that contain every word in title, artist or album. Titles that start with `phrase` come first, then
 * titles that contain it, then the rest, each by title. Ranks at most 200 tracks of each of these three kinds and
 * returns at most 200: the order beyond is of no use, and sorting all matches of a common word is slow.
 */
export async function searchLibraryFiles(db: Db, terms: SearchTerms, page: PageBounds): Promise<TrackPage> {
  const { phrase } = terms
  const starting = await titlesFrom(phrase).execute(db)
  // These come first, and in this order: where they are enough, nothing else is looked for. A letter or two end here.
  if (starting.rows.length === limits.searchMatchesMax) return pageOf(db, starting.rows, page)
  const matches = engineOf(db) === 'sqlite' ? await sqliteMatches(db, terms) : postgresMatches(terms)
  // The title is the first of three lines: a match followed by two line ends is in the title.
  const { rows } = await sql<Row>`
    select track_id from library_files
    where track_id in (select * from (${titlesFrom(phrase)}) as starts union ${matches})
    order by case
      when ${like(`${escapeLike(phrase)}%`)} then 0
      when ${like(`%${escapeLike(phrase)}%\n%\n%`)} then 1
      else 2 end, search_text, track_id
    limit ${limits.searchMatchesMax}`.execute(db)
  return pageOf(db, rows, page)
}

function pageOf(db: Db, rows: Row[], { offset, limit }: PageBounds): Promise<TrackPage> {
  return readPage(db, rows.slice(offset, offset + limit), rows.length)
}

/** Lists the whole library by artist, album and title. */
export async function browseLibraryFiles(db: Db, { offset, limit }: PageBounds): Promise<TrackPage> {
  const present = db.selectFrom('library_files').where('missing_since', 'is', null)
  const rows = await present
    .select('track_id')
    .orderBy('sort_text')
    .orderBy('track_id')
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await present.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return readPage(db, rows, Number(count.total))
}

async function readPage(db: Db, rows: Row[], total: number): Promise<TrackPage> {
  const tracks = await findTracks(
    db,
    rows.map((row) => row.track_id),
  )
  return { tracks: rows.flatMap((row) => tracks.get(row.track_id) ?? []), total }
}

function titlesFrom(phrase: string): RawBuilder<Row> {
  return sql`select track_id from library_files
    where missing_since is null and search_text >= ${phrase} and search_text < ${phrase + lastCharacter}
    order by search_text, track_id limit ${limits.searchMatchesMax}`
}

/**
 * Uses the full-text index. A word shorter than a trigram matches those that begin with it; where these are many, it is
 * in so many tracks that a search of their texts, in the index of titles, ends soon.
 */
async function sqliteMatches(db: Db, { phrase, words }: SearchTerms): Promise<RawBuilder<Row>> {
  const parts = await Promise.all(words.map((word) => toExpression(db, word)))
  const titled = words.length === 1 ? parts[0] : quote(phrase)
  if (parts.includes(null) || titled === null || titled === undefined) return textMatches(words)
  return sql`select * from (${fullTextMatches(`title : (${titled})`)})
    union select * from (${fullTextMatches(parts.map((part) => `(${part})`).join(' AND '))})`
}

/** Returns an FTS5 expression for a word; null for a short one that begins too many trigrams. */
async function toExpression(db: Db, word: string): Promise<string | null> {
  if (Array.from(word).length >= trigramLength) return quote(word)
  const { rows } = await sql<{ term: string }>`select term from library_trigrams
    where term >= ${word} and term < ${word + lastCharacter} limit ${trigramsPerWord + 1}`.execute(db)
  if (rows.length > trigramsPerWord) return null
  // An expression may not be empty: that of the word itself, without a trigram, matches nothing.
  return rows.length === 0 ? quote(word) : rows.map((row) => quote(row.term)).join(' OR ')
}

function textMatches(words: string[]): RawBuilder<Row> {
  return sql`select * from (select track_id from library_files
    where missing_since is null and ${allOf(words.map((word) => sql`instr(search_text, ${word}) > 0`))}
    order by search_text, track_id limit ${limits.searchMatchesMax})`
}

function fullTextMatches(expression: string): RawBuilder<Row> {
  return sql`select library_files.track_id from library_search
    join library_files on library_files.row_number = library_search.rowid
    where library_search match ${expression} limit ${limits.searchMatchesMax}`
}

/** Uses the trigram index, where there is one: see `createSearchIndex`. */
function postgresMatches({ phrase, words }: SearchTerms): RawBuilder<Row> {
  const present = sql`select track_id from library_files where missing_since is null and`
  const containsAll = allOf(words.map((word) => like(`%${escapeLike(word)}%`)))
  return sql`select * from (${present} ${like(`%${escapeLike(phrase)}%\n%\n%`)}
      limit ${limits.searchMatchesMax}) as titled
    union select * from (${present} ${containsAll} limit ${limits.searchMatchesMax}) as rest`
}

function allOf(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `)
}

/** Quotes a string of an FTS5 expression. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function like(pattern: string): RawBuilder<boolean> {
  return sql`search_text like ${pattern} escape '\\'`
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Identifies the lock that processes take one after the other to create the index; any number will do. */
const indexLock = 7_202_101

/**
 * Creates the trigram index on PostgreSQL; SQLite's is part of the migrations. Throws where the role may not create the
 * extension or the server does not have it: searches then work without the index and read all rows.
 */
export async function createSearchIndex(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db.transaction().execute(async (change) => {
    await sql`set local statement_timeout = 0`.execute(change)
    await sql`select pg_advisory_xact_lock(${indexLock})`.execute(change)
    await sql`create extension if not exists pg_trgm`.execute(change)
    await sql`create index if not exists library_files_trigrams_idx
      on library_files using gin (search_text gin_trgm_ops)`.execute(change)
  })
}

import type { Track } from '@earshot/core/protocol/entities'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { engineOf, type Db } from '../database.ts'
import { prepareQuery } from '../prepared-query.ts'
import type { TracksTable } from '../schema.ts'
import { findTracks, toTrack } from '../tracks.ts'
import { serverLimits } from '../../server-limits.ts'

/** Searches in the music library, by indexes of trigrams: three consecutive characters. */

export interface TrackPage {
  tracks: Track[]
  /** The number of tracks on all pages. */
  total: number
}

interface PageBounds {
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
  const { searchMatchesMax: max } = serverLimits
  const { phrase } = terms
  const phraseEnd = phrase + lastCharacter
  const range = { offset: page.offset, end: page.offset + page.limit }
  // These come first, and in this order: where they are enough, nothing else is looked for. A letter or two end here.
  const starting = await findStarting(db, { ...range, phrase, phraseEnd })
  if (starting.rows[0]?.total === max) return toPage(starting.rows)
  const matches = engineOf(db) === 'sqlite' ? await sqliteMatches(db, terms) : postgresMatches(terms)
  // The title is the first of three lines: a match followed by two line ends is in the title.
  const ranked = sql`select track_id, search_text, case
      when ${like(`${escapeLike(phrase)}%`)} then 0
      when ${like(`%${escapeLike(phrase)}%\n%\n%`)} then 1
      else 2 end as kind
    from library_files
    where track_id in (select track_id from (${titlesFrom(phrase, phraseEnd)}) as starts union ${matches})
    order by kind, search_text, track_id limit ${max}`
  return toPage((await selectPage(ranked, range, 0).execute(db)).rows)
}

/** Finds the titles that start with a phrase; without a page of them where they are fewer than are ranked. */
const findStarting = prepareQuery(
  (db: Db, { phrase, phraseEnd, offset, end }: { phrase: string; phraseEnd: string } & PageRange) =>
    selectPage(titlesFrom(phrase, phraseEnd), { offset, end }, serverLimits.searchMatchesMax).compile(db),
)

/** The places of a page among the tracks found, from 0. */
interface PageRange {
  offset: number
  /** After the last one. */
  end: number
}

/** A track of a page; one row without a track where the page is empty. */
type PageRow = { total: number } & { [Column in keyof TracksTable]: TracksTable[Column] | null }

/**
 * Selects a page of the tracks that were found, in the order of `kind`, `search_text` and id, and the number of all. The
 * page is empty where fewer than `totalMin` were found.
 */
function selectPage(
  found: RawBuilder<unknown>,
  { offset, end }: PageRange,
  totalMin: number,
): RawBuilder<PageRow> {
  return sql<PageRow>`with found as (${found}),
    counted as (select count(*) as total from found),
    placed as (select track_id, row_number() over (order by kind, search_text, track_id) as place from found)
    select counted.total, page.* from counted left join (
      select tracks.*, placed.place from placed join tracks on tracks.id = placed.track_id
      where placed.place > ${offset} and placed.place <= ${end} and (select total from counted) >= ${totalMin}
    ) as page on true order by page.place`
}

function toPage(rows: PageRow[]): TrackPage {
  const tracks = rows.flatMap((row) => (row.id === null ? [] : toTrack(row as Selectable<TracksTable>)))
  return { tracks, total: rows[0]?.total ?? 0 }
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

function titlesFrom(phrase: string, phraseEnd: string): RawBuilder<unknown> {
  return sql`select track_id, search_text, 0 as kind from library_files
    where missing_since is null and search_text >= ${phrase} and search_text < ${phraseEnd}
    order by search_text, track_id limit ${serverLimits.searchMatchesMax}`
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
  const { rows } = await findTrigrams(db, { word, wordEnd: word + lastCharacter })
  const [found] = rows
  if (!found || found.trigrams > trigramsPerWord) return null
  // An expression may not be empty: that of the word itself, without a trigram, matches nothing.
  return found.expression ?? quote(word)
}

/** Joins the trigrams that begin with a word to an expression, in the database: they are up to 200 rows. */
const findTrigrams = prepareQuery((db: Db, { word, wordEnd }: { word: string; wordEnd: string }) =>
  sql<{ trigrams: number; expression: string | null }>`select count(*) as trigrams,
    group_concat('"' || replace(term, '"', '""') || '"', ' OR ') as expression
    from (select term from library_trigrams where term >= ${word} and term < ${wordEnd}
      limit ${trigramsPerWord + 1})`.compile(db),
)

function textMatches(words: string[]): RawBuilder<Row> {
  return sql`select * from (select track_id from library_files
    where missing_since is null and ${allOf(words.map((word) => sql`instr(search_text, ${word}) > 0`))}
    order by search_text, track_id limit ${serverLimits.searchMatchesMax})`
}

function fullTextMatches(expression: string): RawBuilder<Row> {
  return sql`select library_files.track_id from library_search
    join library_files on library_files.row_number = library_search.rowid
    where library_search match ${expression} limit ${serverLimits.searchMatchesMax}`
}

/** Uses the trigram index, where there is one: see `createSearchIndex`. */
function postgresMatches({ phrase, words }: SearchTerms): RawBuilder<Row> {
  const present = sql`select track_id from library_files where missing_since is null and`
  const containsAll = allOf(words.map((word) => like(`%${escapeLike(word)}%`)))
  return sql`select * from (${present} ${like(`%${escapeLike(phrase)}%\n%\n%`)}
      limit ${serverLimits.searchMatchesMax}) as titled
    union select * from (${present} ${containsAll} limit ${serverLimits.searchMatchesMax}) as rest`
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

import type { Track } from '@earshot/core/protocol/entities'
import { sql, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'
import type { Database, LibraryFilesTable, TracksTable } from './schema.ts'
import { toTrack } from './tracks.ts'

/** The files of the music folder, one row per track, and searches over them. */

export type LibraryFile = Selectable<LibraryFilesTable>

export interface TrackPage {
  tracks: Track[]
  /** The number of tracks on all pages. */
  total: number
}

export interface PageBounds {
  offset: number
  limit: number
}

/** SQLite allows at most 32,766 values in a statement. */
const idsPerStatement = 1_000

export async function listLibraryFiles(db: Db): Promise<LibraryFile[]> {
  return db.selectFrom('library_files').selectAll().execute()
}

export async function findLibraryFile(db: Db, trackId: string): Promise<LibraryFile | null> {
  const row = await db
    .selectFrom('library_files')
    .selectAll()
    .where('track_id', '=', trackId)
    .executeTakeFirst()
  return row ?? null
}

/** Inserts or updates files. Their tracks must be stored already. */
export async function upsertLibraryFiles(db: Db, files: LibraryFile[]): Promise<void> {
  if (files.length === 0) return
  await db
    .insertInto('library_files')
    .values(files)
    .onConflict((conflict) =>
      conflict.column('track_id').doUpdateSet((eb) => ({
        path: eb.ref('excluded.path'),
        size: eb.ref('excluded.size'),
        modified_at: eb.ref('excluded.modified_at'),
        mime_type: eb.ref('excluded.mime_type'),
        has_art: eb.ref('excluded.has_art'),
        cover_path: eb.ref('excluded.cover_path'),
        search_text: eb.ref('excluded.search_text'),
        sort_text: eb.ref('excluded.sort_text'),
      })),
    )
    .execute()
}

/** Removes files from the catalogue. Their tracks stay, because queues may contain them. */
export async function removeLibraryFiles(db: Db, trackIds: string[]): Promise<void> {
  for (let at = 0; at < trackIds.length; at += idsPerStatement) {
    const ids = trackIds.slice(at, at + idsPerStatement)
    await db.deleteFrom('library_files').where('track_id', 'in', ids).execute()
  }
}

/**
 * Finds the tracks that contain every word in title, artist or album. Titles that start with `phrase` come first, then
 * titles that contain it, then the rest, each by title. Words and phrase must be folded as `search_text` is.
 */
export async function searchLibraryFiles(
  db: Db,
  { phrase, words }: { phrase: string; words: string[] },
  page: PageBounds,
): Promise<TrackPage> {
  let matches = libraryTracks(db)
  for (const word of words) matches = matches.where(like(`%${escapeLike(word)}%`))
  // The title is the first of three lines: a match followed by two line ends is in the title.
  const rank = sql<number>`case
    when ${like(`${escapeLike(phrase)}%`)} then 0
    when ${like(`%${escapeLike(phrase)}%\n%\n%`)} then 1
    else 2 end`
  return readPage(
    matches,
    matches.selectAll('tracks').orderBy(rank).orderBy('library_files.search_text').orderBy('tracks.id'),
    page,
  )
}

/** Lists the whole library by artist, album and title. */
export async function browseLibraryFiles(db: Db, page: PageBounds): Promise<TrackPage> {
  const all = libraryTracks(db)
  return readPage(all, all.selectAll('tracks').orderBy('library_files.sort_text').orderBy('tracks.id'), page)
}

type LibraryTracks<Row> = SelectQueryBuilder<Database, 'library_files' | 'tracks', Row>

function libraryTracks(db: Db): LibraryTracks<object> {
  return db.selectFrom('library_files').innerJoin('tracks', 'tracks.id', 'library_files.track_id')
}

async function readPage(
  matches: LibraryTracks<object>,
  ordered: LibraryTracks<Selectable<TracksTable>>,
  { offset, limit }: PageBounds,
): Promise<TrackPage> {
  const rows = await ordered.limit(limit).offset(offset).execute()
  const count = await matches.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { tracks: rows.map(toTrack), total: Number(count.total) }
}

function like(pattern: string) {
  return sql<boolean>`library_files.search_text like ${pattern} escape '\\'`
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

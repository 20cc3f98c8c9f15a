import { type Selectable, sql } from 'kysely'
import { inBatches } from '../../async/in-batches.ts'
import type { Db } from '../database.ts'
import type { LibraryFilesTable } from './library-schema.ts'

/**
 * The files of the music folder, one row per track. A row outlives its file, so that a file that returns is the same
 * track again.
 */

export type LibraryFile = Selectable<LibraryFilesTable>

/** Not all columns: SQLite's table has one more, for its search index. */
const columns = [
  'track_id',
  'path',
  'size',
  'modified_at',
  'changed_at',
  'tags_version',
  'mime_type',
  'has_art',
  'cover_path',
  'search_text',
  'sort_text',
  'folder',
  'fingerprint',
  'cover_version',
  'missing_since',
  'album_id',
  'artist_id',
  'disc_number',
  'track_number',
] as const satisfies (keyof LibraryFile)[]

/** SQLite allows at most 32,766 values in a statement. */
const valuesPerStatement = 1_000
/** Few enough to go through without holding up the server's main thread. */
const rowsPerPage = 250

/** Lists all rows of some folders, missing files included. */
export async function listFilesInFolders(db: Db, folders: string[]): Promise<LibraryFile[]> {
  if (folders.length === 0) return []
  return db.selectFrom('library_files').select(columns).where('folder', 'in', folders).execute()
}

/** Lists the rows with one of these contents or track ids, missing files included. */
export async function listRelatedFiles(
  db: Db,
  { fingerprints, trackIds }: { fingerprints: string[]; trackIds: string[] },
): Promise<LibraryFile[]> {
  if (fingerprints.length === 0) return []
  return db
    .selectFrom('library_files')
    .select(columns)
    .where((eb) => eb.or([eb('fingerprint', 'in', fingerprints), eb('track_id', 'in', trackIds)]))
    .orderBy('track_id')
    .execute()
}

/** Counts the tracks whose file is present. */
export async function countLibraryTracks(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('library_files')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('missing_since', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the library has any file that is present. */
export async function hasLibraryFiles(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('library_files')
    .select('track_id')
    .where('missing_since', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the folders with files that are present, a page at a time, in order. */
export async function* listLibraryFolders(db: Db): AsyncGenerator<string[]> {
  for (let last: string | null = null; ;) {
    let query = db.selectFrom('library_files').select('folder').where('missing_since', 'is', null).distinct()
    if (last !== null) query = query.where('folder', '>', last)
    const rows = await query.orderBy('folder').limit(valuesPerStatement).execute()
    if (rows.length > 0) yield rows.map((row) => row.folder)
    if (rows.length < valuesPerStatement) return
    last = rows.at(-1)?.folder ?? null
  }
}

/** The file of a track: its path, and the size and time by which a change is noticed. */
export type StoredPath = Pick<LibraryFile, 'track_id' | 'path' | 'size' | 'modified_at'>

/** Lists the files that are present in a folder. */
export async function listStoredPaths(db: Db, folder: string): Promise<StoredPath[]> {
  return await db
    .selectFrom('library_files')
    .select(['track_id', 'path', 'size', 'modified_at'])
    .where('folder', '=', folder)
    .where('missing_since', 'is', null)
    .execute()
}

/** Lists the files that are present, a few at a time. */
export async function* listPresentFiles(
  db: Db,
): AsyncGenerator<Pick<LibraryFile, 'path' | 'size' | 'modified_at'>[]> {
  for (let last = ''; ;) {
    const rows = await db
      .selectFrom('library_files')
      .select(['track_id', 'path', 'size', 'modified_at'])
      .where('missing_since', 'is', null)
      .where('track_id', '>', last)
      .orderBy('track_id')
      .limit(rowsPerPage)
      .execute()
    yield rows
    if (rows.length < rowsPerPage) return
    last = rows.at(-1)?.track_id ?? ''
  }
}

/** Finds the file of a track; null while it is missing. */
export async function findLibraryFile(db: Db, trackId: string): Promise<LibraryFile | null> {
  const row = await db
    .selectFrom('library_files')
    .select(columns)
    .where('track_id', '=', trackId)
    .where('missing_since', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Finds where the file of a track is, or was before it went missing; null for a track that never had one. */
export async function findLibraryPath(
  db: Db,
  trackId: string,
): Promise<{ path: string; missingSince: number | null } | null> {
  const row = await db
    .selectFrom('library_files')
    .select(['path', 'missing_since'])
    .where('track_id', '=', trackId)
    .executeTakeFirst()
  return row ? { path: row.path, missingSince: row.missing_since } : null
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
        changed_at: eb.ref('excluded.changed_at'),
        tags_version: eb.ref('excluded.tags_version'),
        mime_type: eb.ref('excluded.mime_type'),
        has_art: eb.ref('excluded.has_art'),
        cover_path: eb.ref('excluded.cover_path'),
        search_text: eb.ref('excluded.search_text'),
        sort_text: eb.ref('excluded.sort_text'),
        folder: eb.ref('excluded.folder'),
        fingerprint: eb.ref('excluded.fingerprint'),
        cover_version: eb.ref('excluded.cover_version'),
        missing_since: eb.ref('excluded.missing_since'),
        album_id: eb.ref('excluded.album_id'),
        artist_id: eb.ref('excluded.artist_id'),
        disc_number: eb.ref('excluded.disc_number'),
        track_number: eb.ref('excluded.track_number'),
      })),
    )
    .execute()
}

const toPair = ({ track_id, path }: Pick<StoredPath, 'track_id' | 'path'>) => sql`(${track_id}, ${path})`

/**
 * Takes files out of the library that are not where they were, unless another process has found one elsewhere
 * meanwhile. Their tracks stay, because queues may contain them.
 */
export async function markLibraryFilesMissing(
  db: Db,
  places: Pick<StoredPath, 'track_id' | 'path'>[],
  nowMs: number,
): Promise<void> {
  for (const batch of inBatches(places, valuesPerStatement)) {
    await db
      .updateTable('library_files')
      .set({ missing_since: Math.floor(nowMs) })
      .where(sql<boolean>`(track_id, path) in (values ${sql.join(batch.map(toPair))})`)
      .where('missing_since', 'is', null)
      .execute()
  }
}

import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Separates a library track's id from its file's content, and indexes the library for search. Until here an id was
 * 'lib_' and the fingerprint of the file.
 */
export const libraryFiles: Migration = {
  async up(db) {
    if (db.getExecutor().adapter instanceof PostgresAdapter) await upgradePostgres(db)
    else await upgradeSqlite(db)
  },
}

async function upgradePostgres(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files
    add column folder text collate "C" not null default '',
    add column fingerprint text collate "C" not null default '',
    add column cover_version text collate "C",
    add column missing_since bigint`.execute(db)
  await sql`update library_files set
    folder = regexp_replace(path, '/?[^/]*$', ''),
    fingerprint = substr(track_id, 5),
    cover_version = case has_art when 1 then '' end`.execute(db)
  await createIndexes(db)
}

/** Recreates the table: a row number that VACUUM may not change needs a column of its own. */
async function upgradeSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files rename to old_library_files`.execute(db)
  await sql`drop index library_files_sort_text_idx`.execute(db)
  await sql`create table library_files (
    row_number integer primary key,
    track_id text not null unique references tracks (id),
    path text not null,
    size bigint not null,
    modified_at bigint not null,
    mime_type text not null,
    has_art integer not null,
    cover_path text,
    search_text text not null,
    sort_text text not null,
    folder text not null,
    fingerprint text not null,
    cover_version text,
    missing_since bigint
  )`.execute(db)
  await createSearchTable(db)
  await createIndexes(db)
  // rtrim with all characters but the slash leaves the path up to its last slash.
  await sql`insert into library_files (
      track_id, path, size, modified_at, mime_type, has_art, cover_path, search_text, sort_text,
      folder, fingerprint, cover_version
    ) select track_id, path, size, modified_at, mime_type, has_art, cover_path, search_text, sort_text,
      rtrim(rtrim(path, replace(path, '/', '')), '/'), substr(track_id, 5), case has_art when 1 then '' end
    from old_library_files`.execute(db)
  await sql`drop table old_library_files`.execute(db)
}

/** Partial indexes that contain all columns that searching, browsing and counting read. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`create index library_files_search_text_idx
    on library_files (search_text, track_id) where missing_since is null`.execute(db)
  await sql`create index library_files_sort_text_idx
    on library_files (sort_text, track_id) where missing_since is null`.execute(db)
  await sql`create index library_files_folder_idx on library_files (folder, missing_since)`.execute(db)
  await sql`create index library_files_fingerprint_idx on library_files (fingerprint)`.execute(db)
}

/**
 * The trigrams of the files that are present: of the title and of the two other lines of `search_text`. Two line ends
 * follow, so that every character begins a trigram. Triggers keep it equal to `library_files`.
 */
async function createSearchTable(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table library_search using fts5 (
    title, rest, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
  )`.execute(db)
  await sql`create virtual table library_trigrams using fts5vocab (library_search, row)`.execute(db)
  const insert = `insert into library_search (rowid, title, rest)
    select new.row_number,
      substr(new.search_text, 1, instr(new.search_text, char(10))) || char(10),
      substr(new.search_text, instr(new.search_text, char(10)) + 1) || char(10) || char(10)
    where new.missing_since is null;`
  const remove = 'delete from library_search where rowid = old.row_number;'
  await sql`create trigger library_search_insert after insert on library_files
    begin ${sql.raw(insert)} end`.execute(db)
  await sql`create trigger library_search_update after update on library_files
    when new.search_text <> old.search_text or new.missing_since is not old.missing_since
    begin ${sql.raw(remove)} ${sql.raw(insert)} end`.execute(db)
  await sql`create trigger library_search_delete after delete on library_files
    begin ${sql.raw(remove)} end`.execute(db)
}

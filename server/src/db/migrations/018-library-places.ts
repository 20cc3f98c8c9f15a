import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds albums and artists of the library, each file's place among them, and waveforms. The tags of all files are read
 * again by the next scan, which takes every file for changed.
 */
export const libraryPlaces: Migration = {
  async up(db) {
    const text = sql.raw(db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text')
    await sql`create table library_artists (
      id ${text} primary key not null,
      name ${text} not null,
      sort_text ${text} not null,
      search_text ${text} not null
    )`.execute(db)
    await sql`create table library_albums (
      id ${text} primary key not null,
      title ${text} not null,
      artist ${text} not null,
      artist_id ${text},
      year integer,
      sort_text ${text} not null,
      release_text ${text} not null,
      search_text ${text} not null,
      added_at bigint not null
    )`.execute(db)
    await sql`create table library_waveforms (
      fingerprint ${text} primary key not null,
      peaks ${text}
    )`.execute(db)
    await sql`create index library_artists_sort_idx on library_artists (sort_text, id)`.execute(db)
    await sql`create index library_albums_sort_idx on library_albums (sort_text, id)`.execute(db)
    await sql`create index library_albums_artist_idx on library_albums (artist_id, release_text, id)`.execute(
      db,
    )
    await sql`create index library_albums_added_idx on library_albums (added_at, id)`.execute(db)

    await sql`alter table library_files add column album_id ${text}`.execute(db)
    await sql`alter table library_files add column artist_id ${text}`.execute(db)
    await sql`alter table library_files add column disc_number integer not null default 0`.execute(db)
    await sql`alter table library_files add column track_number integer not null default 0`.execute(db)
    await sql`create index library_files_album_idx
      on library_files (album_id, disc_number, track_number, sort_text, track_id)
      where missing_since is null`.execute(db)
    await sql`create index library_files_artist_idx
      on library_files (artist_id, track_id) where missing_since is null`.execute(db)
    await sql`create index library_files_single_idx
      on library_files (artist_id, sort_text, track_id)
      where missing_since is null and album_id is null`.execute(db)
    await sql`update library_files set modified_at = -1`.execute(db)
  },
}

import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the loudness of albums, and which version of the scan read a file's tags: none yet. The next scan reads all library
 * files again. Unlike `changed_at`, an older process that scans meanwhile leaves the version as it is.
 */
export const albumLoudness: Migration = {
  async up(db) {
    await db.schema.alterTable('tracks').addColumn('album_gain_db', 'double precision').execute()
    await db.schema.alterTable('tracks').addColumn('album_peak', 'double precision').execute()
    await sql`alter table library_files add column tags_version int not null default 0`.execute(db)
  },
}

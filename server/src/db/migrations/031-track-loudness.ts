import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the loudness of tracks. The next scan takes all library files for changed, and reads it from their tags. */
export const trackLoudness: Migration = {
  async up(db) {
    await db.schema.alterTable('tracks').addColumn('gain_db', 'double precision').execute()
    await db.schema.alterTable('tracks').addColumn('peak', 'double precision').execute()
    await sql`update library_files set changed_at = -1`.execute(db)
  },
}

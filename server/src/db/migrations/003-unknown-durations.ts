import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Makes `tracks.duration` nullable: null replaces 180000 as the sign of an unknown duration. WebM files that may have
 * had the sentinel get another modification time, so that the next scan reads them again.
 */
export const unknownDurations: Migration = {
  async up(db) {
    // SQLite cannot drop a NOT NULL, so the column is replaced by a copy of the same name.
    await db.schema.alterTable('tracks').renameColumn('duration', 'old_duration').execute()
    await db.schema.alterTable('tracks').addColumn('duration', 'bigint').execute()
    await sql`update library_files set modified_at = 0 where mime_type = 'audio/webm'
      and track_id in (select id from tracks where old_duration = 180000)`.execute(db)
    await sql`update tracks set duration = old_duration where not (old_duration = 180000 and (source <> 'library'
      or id in (select track_id from library_files where mime_type = 'audio/webm')))`.execute(db)
    await db.schema.alterTable('tracks').dropColumn('old_duration').execute()
  },
}

import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the index of library files that have been missing for long, which are deleted. */
export const missingFiles: Migration = {
  async up(db) {
    await sql`create index library_files_missing_idx
      on library_files (missing_since) where missing_since is not null`.execute(db)
  },
}

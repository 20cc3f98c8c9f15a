import type { Migration } from 'kysely/migration'

/** Adds which videos YouTube offers in some countries only. */
export const regionalTracks: Migration = {
  async up(db) {
    await db.schema.alterTable('tracks').addColumn('regional', 'integer').execute()
  },
}

import type { Migration } from 'kysely/migration'

/** Adds what providers state about a track, and the setting to offer tracks in another source. */
export const providerTracks: Migration = {
  async up(db) {
    await db.schema.alterTable('tracks').addColumn('isrc', 'text').execute()
    await db.schema.alterTable('tracks').addColumn('restriction', 'text').execute()
    await db.schema
      .alterTable('profiles')
      .addColumn('match_elsewhere', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('tracks_isrc').on('tracks').column('isrc').execute()
  },
}

import type { Migration } from 'kysely/migration'

/** Adds users' own YouTube keys, stored searches, and the searches counted per key and day. */
export const youtube: Migration = {
  async up(db) {
    await db.schema.alterTable('profiles').addColumn('youtube_key', 'text').execute()
    await db.schema
      .createTable('youtube_searches')
      .addColumn('query', 'text', (column) => column.primaryKey().notNull())
      .addColumn('track_ids', 'text', (column) => column.notNull())
      .addColumn('searched_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('youtube_quota')
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('used', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('youtube_quota_pk', ['key_id', 'day'])
      .execute()
    const tracks = (name: string) => db.schema.createIndex(name).on('tracks')
    await tracks('tracks_source_fetched_at').columns(['source', 'fetched_at']).execute()
    await tracks('tracks_source_duration').columns(['source', 'duration']).execute()
  },
}

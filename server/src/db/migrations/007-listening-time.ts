import type { Migration } from 'kysely/migration'

/** Adds the time that each user listened to each source, and the index that counts a user's rooms. */
export const listeningTime: Migration = {
  async up(db) {
    await db.schema
      .createTable('listening_time')
      .addColumn('user_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('library_ms', 'bigint', (column) => column.notNull())
      .addColumn('spotify_ms', 'bigint', (column) => column.notNull())
      .addColumn('youtube_ms', 'bigint', (column) => column.notNull())
      .addColumn('counted_until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('rooms_owner_id_idx').on('rooms').column('owner_id').execute()
  },
}

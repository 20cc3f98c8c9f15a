import type { Migration } from 'kysely/migration'

/** Adds what rooms have played, and the queue entries that were removed lately and can be put back. */
export const queueMemory: Migration = {
  async up(db) {
    await db.schema
      .createTable('room_history')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('room_id', 'text', (column) => column.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('track_id', 'text', (column) => column.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('added_by', 'text')
      .addColumn('played_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('room_history_room_id_id')
      .on('room_history')
      .columns(['room_id', 'id'])
      .execute()
    await db.schema.createIndex('room_history_track_id').on('room_history').column('track_id').execute()
    await db.schema
      .createTable('removed_entries')
      .addColumn('entry_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('room_id', 'text', (column) => column.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('track_id', 'text', (column) => column.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('added_by', 'text')
      .addColumn('removed_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('removed_entries_room_id_removed_at')
      .on('removed_entries')
      .columns(['room_id', 'removed_at'])
      .execute()
    await db.schema.createIndex('removed_entries_track_id').on('removed_entries').column('track_id').execute()
  },
}

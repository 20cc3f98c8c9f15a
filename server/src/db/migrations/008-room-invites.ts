import type { Migration } from 'kysely/migration'

/** Adds the invite links of rooms. */
export const roomInvites: Migration = {
  async up(db) {
    await db.schema
      .createTable('room_invites')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('room_id', 'text', (column) => column.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('room_invites_room_id').on('room_invites').column('room_id').execute()
  },
}

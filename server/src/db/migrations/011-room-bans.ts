import type { Migration } from 'kysely/migration'

/** Adds the bans of rooms. */
export const roomBans: Migration = {
  async up(db) {
    await db.schema
      .createTable('room_bans')
      .addColumn('room_id', 'text', (column) => column.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('banned_by', 'text')
      .addColumn('address_hash', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('room_bans_pk', ['room_id', 'user_id'])
      .execute()
    await db.schema.createIndex('room_bans_user_id').on('room_bans').column('user_id').execute()
  },
}

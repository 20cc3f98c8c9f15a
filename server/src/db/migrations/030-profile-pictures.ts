import type { Migration } from 'kysely/migration'

/** Adds the pictures of users. */
export const profilePictures: Migration = {
  async up(db) {
    await db.schema
      .createTable('profile_pictures')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().unique().references('profiles.id').onDelete('cascade'),
      )
      .addColumn('image', 'text', (column) => column.notNull())
      .execute()
  },
}

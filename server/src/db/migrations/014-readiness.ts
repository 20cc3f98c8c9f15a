import type { Migration } from 'kysely/migration'

/** Adds the row that the server writes to find out whether its database can be written. */
export const readiness: Migration = {
  async up(db) {
    await db.schema
      .createTable('readiness')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('written_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}

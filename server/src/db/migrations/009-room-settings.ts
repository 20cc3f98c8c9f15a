import type { Migration } from 'kysely/migration'

/** Adds the settings of rooms, and who has the controls while the owner is away. */
export const roomSettings: Migration = {
  async up(db) {
    await db.schema
      .alterTable('rooms')
      .addColumn('settings', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
    await db.schema.alterTable('rooms').addColumn('controller_id', 'text').execute()
  },
}

import type { Migration } from 'kysely/migration'

/** Adds under which id entries were removed from a queue together. */
export const clearedQueues: Migration = {
  async up(db) {
    await db.schema.alterTable('removed_entries').addColumn('removal_id', 'text').execute()
  },
}

import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the folded names by which rooms are found. */
export const roomSearch: Migration = {
  async up(db) {
    await db.schema
      .alterTable('rooms')
      .addColumn('search_text', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await sql`update rooms set search_text = lower(name)`.execute(db)
    await db.schema.createIndex('rooms_owner_id').ifNotExists().on('rooms').column('owner_id').execute()
  },
}

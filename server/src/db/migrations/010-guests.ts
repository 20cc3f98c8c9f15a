import { PostgresAdapter } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Marks the users without an account: `isAnonymous` for the sign-in library, `is_guest` for all other queries. */
export const guests: Migration = {
  async up(db) {
    const flag = db.getExecutor().adapter instanceof PostgresAdapter ? 'boolean' : 'integer'
    await db.schema.alterTable('user').addColumn('isAnonymous', flag).execute()
    await db.schema
      .alterTable('profiles')
      .addColumn('is_guest', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // A guest's rows move to the account that the guest signs in to.
    await db.schema.createIndex('messages_user_id_idx').on('messages').column('user_id').execute()
    await db.schema.createIndex('room_tracks_added_by_idx').on('room_tracks').column('added_by').execute()
  },
}

import type { Migration } from 'kysely/migration'

/** Adds the users' Spotify accounts, and the consents that users were sent to Spotify for. */
export const spotifyAccounts: Migration = {
  async up(db) {
    await db.schema
      .createTable('spotify_accounts')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .addColumn('spotify_tokens', 'text')
      .addColumn('display_name', 'text')
      .addColumn('authorized_at', 'bigint', (column) => column.notNull())
      .addColumn('lease_id', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('spotify_consents')
      .addColumn('state_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('verifier', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('spotify_consents_user_id_idx')
      .on('spotify_consents')
      .columns(['user_id', 'created_at'])
      .execute()
    // Was never written.
    await db.schema.alterTable('profiles').dropColumn('spotify_tokens').execute()
  },
}

import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Keeps with an account the guest who created it without a name of its own, until the account takes the guest's. */
export const guestNames: Migration = {
  async up(db) {
    await sql`alter table profiles add column takes_name_of text`.execute(db)
  },
}

import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds how many rooms a user created; those deleted or handed over before are not known. */
export const roomsCreated: Migration = {
  async up(db) {
    await sql`alter table profiles add column rooms_created integer not null default 0`.execute(db)
    await sql`update profiles set rooms_created = (select count(*) from rooms where owner_id = profiles.id)`.execute(
      db,
    )
  },
}

import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Keeps which accounts were made while mails were sent, and must confirm their address. Of the earlier ones those
 * that nobody ever used: without mails an account is signed in as soon as it is made.
 */
export const pendingConfirmations: Migration = {
  async up(db) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await db.schema
      .alterTable('user')
      // Of the version before this, which may run beside it, new accounts confirm.
      .addColumn('mustConfirm', isPostgres ? 'boolean' : 'integer', (column) =>
        column.defaultTo(isPostgres ? true : 1),
      )
      .execute()
    const no = isPostgres ? false : 0
    await sql`update "user" set "mustConfirm" = ${no} where "emailVerified" is true or "isAnonymous" is true
      or "role" = 'admin'
      or exists (select 1 from "session" where "session"."userId" = "user"."id")
      or exists (select 1 from "listening_time" where "user_id" = "user"."id")
      or exists (select 1 from "rooms" where "owner_id" = "user"."id")
      or exists (select 1 from "messages" where "user_id" = "user"."id")
      or exists (select 1 from "room_access" where "user_id" = "user"."id")`.execute(db)
  },
}

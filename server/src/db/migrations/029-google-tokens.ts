import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Forgets the tokens of Google, which nothing reads. They are not stored any more. */
export const googleTokens: Migration = {
  async up(db) {
    await sql`update "account" set "accessToken" = null, "refreshToken" = null, "idToken" = null`.execute(db)
  },
}

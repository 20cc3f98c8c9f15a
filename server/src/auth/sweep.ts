import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Long enough for any sign-up that is under way. */
const halfMadeAfterMs = 60 * 60 * 1_000

/**
 * Removes what has run out, and accounts of which a killed process made only the half: without a way to sign in they
 * would block their address for ever.
 */
export async function sweepAuthTables(db: Db, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString()
  const halfMadeBefore = new Date(nowMs - halfMadeAfterMs).toISOString()
  await sql`delete from "session" where "expiresAt" < ${now}`.execute(db)
  await sql`delete from "verification" where "expiresAt" < ${now}`.execute(db)
  await sql`delete from "user" where "createdAt" < ${halfMadeBefore} and not exists
    (select 1 from "account" where "account"."userId" = "user"."id")`.execute(db)
}

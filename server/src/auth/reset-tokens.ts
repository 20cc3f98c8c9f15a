import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The tokens of mailed links that set a new password: verifications whose value is the id of the account. */

export async function deleteResetTokens(db: Db, userId: string): Promise<void> {
  await sql`delete from "verification" where "value" = ${userId}`.execute(db)
}

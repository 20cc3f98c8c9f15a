import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The tokens of mailed links that set a new password: verifications whose value is the id of the account. */

/** Counts the tokens that have not expired. */
export async function countResetTokens(db: Db, userId: string, nowMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from "verification"
    where "value" = ${userId} and "expiresAt" > ${new Date(nowMs).toISOString()}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

export async function deleteResetTokens(db: Db, userId: string): Promise<void> {
  await sql`delete from "verification" where "value" = ${userId}`.execute(db)
}

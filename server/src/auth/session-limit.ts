import { limits } from '@earshot/core/limits'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Lists the tokens of the sessions that a user has beyond `limits.sessionsPerUser`: those that were not used for longest. Who
 * knows a password could otherwise begin any number of them.
 */
export async function listSurplusSessions(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`select "token" from "session" where "userId" = ${userId}
    order by "updatedAt" desc, "createdAt" desc, "id" limit 10000 offset ${limits.sessionsPerUser}`.execute(
    db,
  )
  return rows.map(({ token }) => token)
}

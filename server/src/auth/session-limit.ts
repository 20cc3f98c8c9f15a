import type { GenericEndpointContext } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { serverLimits } from '../server-limits.ts'

/** Returns the sign-in library's hook after a new session: ends those that its user has beyond the limit. */
export function endSurplusSessions(db: Db) {
  return async ({ userId }: { userId: string }, context: GenericEndpointContext | null): Promise<void> => {
    const surplus = await listSurplusSessions(db, userId)
    if (!context || surplus.length === 0) return
    // The request's own session may be one of them. Read now, it is not looked for later, which would clear the new cookie.
    await getSessionFromCtx(context, { disableRefresh: true })
    await context.context.internalAdapter.deleteSessions(surplus)
  }
}

/**
 * Lists the tokens of the sessions that a user has beyond `serverLimits.sessionsPerUser`: those that were not used for
 * longest. Who knows a password could otherwise begin any number of them.
 */
async function listSurplusSessions(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`select "token" from "session" where "userId" = ${userId}
    order by "updatedAt" desc, "createdAt" desc, "id" limit 10000 offset ${serverLimits.sessionsPerUser}`.execute(
    db,
  )
  return rows.map(({ token }) => token)
}

import { type Clock, dayMs, hourMs } from '@earshot/core/clock'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { Db } from '../db/database.ts'
import { serverLimits } from '../server-limits.ts'

/** Longer than any sign-up takes. */
const incompleteAfterMs = hourMs

/** Guests deleted in one transaction. */
const guestBatch = 200

interface SweepParts {
  db: Db
  clock: Clock
  logger: Logger
}

/** Sweeps the auth tables now and once a day. Returns a function that stops and waits for a running sweep. */
export function startSweeping({ db, clock, logger }: SweepParts): () => Promise<void> {
  return repeat(
    clock,
    { firstMs: 0, everyMs: dayMs },
    () => sweepAuthTables(db, clock.now()),
    (error) => logger.warn({ err: error }, 'Could not delete expired sessions; retrying in a day'),
  )
}

/**
 * Deletes expired sessions and verifications, and accounts left incomplete by a killed process: nobody can sign in to
 * them, and they block their email address. Then deletes guests who cannot return, or never entered a room.
 */
export async function sweepAuthTables(db: Db, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString()
  const incompleteBefore = new Date(nowMs - incompleteAfterMs).toISOString()
  await sql`delete from "session" where "expiresAt" < ${now}`.execute(db)
  await sql`delete from "verification" where "expiresAt" < ${now}`.execute(db)
  // A process of an earlier version stores them until an update has replaced it (16.288).
  await sql`update "account" set "accessToken" = null, "refreshToken" = null, "idToken" = null
    where "accessToken" is not null or "refreshToken" is not null or "idToken" is not null`.execute(db)
  await deleteIncompleteUsers(db, incompleteBefore)
  while ((await deleteStaleGuests(db, nowMs)) === guestBatch);
}

/** With their profiles, which hold their names. */
async function deleteIncompleteUsers(db: Db, before: string): Promise<void> {
  await db.transaction().execute(async (change) => {
    const { rows } = await sql<{ id: string }>`delete from "user" where "createdAt" < ${before} and not exists
      (select 1 from "account" where "account"."userId" = "user"."id") and "isAnonymous" is not true
      returning "id"`.execute(change)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await change.deleteFrom('profiles').where('id', 'in', ids).execute()
  })
}

/** Deletes up to `guestBatch` guests; resolves to their number. Their messages stay, as those of deleted accounts. */
async function deleteStaleGuests(db: Db, nowMs: number): Promise<number> {
  const incompleteBefore = new Date(nowMs - incompleteAfterMs).toISOString()
  const unusedBefore = new Date(nowMs - serverLimits.guestUnusedMs).toISOString()
  const { rows } = await sql<{ id: string }>`select "id" from "user" where "isAnonymous" is true and (
    ("createdAt" < ${incompleteBefore}
      and not exists (select 1 from "session" where "session"."userId" = "user"."id"))
    or ("createdAt" < ${unusedBefore}
      and not exists (select 1 from "user_rooms" where "user_id" = "user"."id")
      and not exists (select 1 from "room_access" where "user_id" = "user"."id")
      and not exists (select 1 from "listening_time" where "user_id" = "user"."id")))
    limit ${guestBatch}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.transaction().execute(async (change) => {
    for (const table of ['user_rooms', 'room_access', 'listening_time'] as const) {
      await change.deleteFrom(table).where('user_id', 'in', ids).execute()
    }
    await change.deleteFrom('profiles').where('id', 'in', ids).execute()
    await sql`delete from "user" where "id" in (${sql.join(ids)})`.execute(change)
  })
  return ids.length
}

import type { Clock } from '@earshot/core/clock'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { Db } from '../db/database.ts'

const sweepIntervalMs = 24 * 60 * 60 * 1_000
/** Longer than any sign-up takes. */
const incompleteAfterMs = 60 * 60 * 1_000

export interface SweepParts {
  db: Db
  clock: Clock
  logger: Logger
}

/** Sweeps the auth tables now and once a day. Returns a function that stops and waits for a running sweep. */
export function startSweeping({ db, clock, logger }: SweepParts): () => Promise<void> {
  return repeat(
    clock,
    { firstMs: 0, everyMs: sweepIntervalMs },
    () => sweepAuthTables(db, clock.now()),
    (error) => logger.warn({ err: error }, 'Could not delete expired sessions; retrying in a day'),
  )
}

/**
 * Deletes expired sessions and verifications, and accounts left incomplete by a killed process: nobody can sign in to
 * them, and they block their email address.
 */
export async function sweepAuthTables(db: Db, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString()
  const incompleteBefore = new Date(nowMs - incompleteAfterMs).toISOString()
  await sql`delete from "session" where "expiresAt" < ${now}`.execute(db)
  await sql`delete from "verification" where "expiresAt" < ${now}`.execute(db)
  await sql`delete from "user" where "createdAt" < ${incompleteBefore} and not exists
    (select 1 from "account" where "account"."userId" = "user"."id")`.execute(db)
}

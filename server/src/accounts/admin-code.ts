import { createHash, randomInt } from 'node:crypto'
import type { Clock } from '@earshot/core/clock'
import type { Db } from '../db/database.ts'
import { hasAdmin, writeAdmin } from '../db/users.ts'
import { serverLimits } from '../server-limits.ts'

/**
 * The one-time code that makes the first administrator. Only who reads the server's log or has a shell knows it, so a
 * stranger who signs up first does not get the server. Stored as a hash.
 */

interface AdminCodeParts {
  db: Db
  clock: Clock
}

/** Without letters that are mistaken for digits (Crockford's base 32). 12 of them are 60 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 3
const groupSize = 4
/** Each process of a cluster prints one at its start. */
const codesKept = 8

/** Creates a code, if there is no administrator; null otherwise. Earlier codes stay valid until they expire. */
export async function createAdminCode({ db, clock }: AdminCodeParts): Promise<string | null> {
  if (await hasAdmin(db)) return null
  const nowMs = Math.round(clock.now())
  const code = Array.from({ length: groups }, randomGroup).join('-')
  await db.deleteFrom('admin_codes').where('expires_at', '<=', nowMs).execute()
  await db
    .insertInto('admin_codes')
    .values({
      code_hash: hash(code),
      expires_at: nowMs + serverLimits.adminCodeMs,
      attempts_left: serverLimits.adminCodeAttempts,
    })
    .execute()
  const kept = db
    .selectFrom('admin_codes')
    .select('code_hash')
    .orderBy('expires_at', 'desc')
    .orderBy('code_hash')
    .limit(codesKept)
  await db.deleteFrom('admin_codes').where('code_hash', 'not in', kept).execute()
  return code
}

/**
 * Makes a user the administrator, given a valid code. All codes end then. A wrong code counts against all of them.
 * Resolves to whether it was right.
 */
export async function claimAdmin(
  { db, clock }: AdminCodeParts,
  userId: string,
  code: string,
): Promise<boolean> {
  return db.transaction().execute(async (change) => {
    const taken = await change
      .deleteFrom('admin_codes')
      .where('code_hash', '=', hash(code))
      .where('expires_at', '>', Math.round(clock.now()))
      .returning('code_hash')
      .executeTakeFirst()
    if (taken === undefined) {
      await change
        .updateTable('admin_codes')
        .set((eb) => ({ attempts_left: eb('attempts_left', '-', 1) }))
        .execute()
      await change.deleteFrom('admin_codes').where('attempts_left', '<=', 0).execute()
      return false
    }
    await change.deleteFrom('admin_codes').execute()
    // Another administrator was made by a command since the code was printed.
    if (await hasAdmin(change)) return false
    await writeAdmin(change, userId, true)
    return true
  })
}

function randomGroup(): string {
  return Array.from({ length: groupSize }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Accepts what people make of a code when they type it: lower case, without dashes, O for 0, I or L for 1. */
function hash(code: string): string {
  const typed = code
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '')
  return createHash('sha256').update(typed).digest('base64url')
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { prepareQuery } from '../db/prepared-query.ts'
import { isAdminRole } from '../db/users.ts'
import { type Session, emailName } from './session.ts'

/**
 * Reads the session of a request in one query. The sign-in library, which owns the tables, takes three and much longer,
 * and nearly every call needs its session.
 */

/** A stored session with its user and their profile, if they have one. */
interface SessionRow {
  sessionId: string
  /** A text in SQLite. */
  expiresAt: Date | string
  userId: string
  email: string
  name: string
  image: string | null
  isAnonymous: boolean | number | null
  role: string | null
  banned: boolean | number | null
  /** Null where the user has no profile. */
  username: string | null
  avatarUrl: string | null
}

const findByToken = prepareQuery((db: Db, { token }: { token: string }) =>
  sql<SessionRow>`select "session"."id" as "sessionId", "session"."expiresAt", "user"."id" as "userId", "user"."email",
    "user"."name", "user"."image", "user"."isAnonymous", "user"."role", "user"."banned",
    "profiles"."username", "profiles"."avatar_url" as "avatarUrl"
    from "session" join "user" on "user"."id" = "session"."userId"
    left join "profiles" on "profiles"."id" = "user"."id"
    where "session"."token" = ${token}`.compile(db),
)

/** Finds the session of a token; `expired`: its time is over, but it is still stored. */
export async function findSession(db: Db, token: string): Promise<Session | 'expired' | null> {
  const row = (await findByToken(db, { token })).rows[0]
  if (!row) return null
  if (new Date(row.expiresAt).getTime() < Date.now()) return 'expired'
  // A disabled user's sessions are deleted; one may have begun at the same moment.
  return row.banned ? null : toSession(row)
}

function toSession(row: SessionRow): Session {
  const { sessionId: id, userId, name, role } = row
  const isGuest = Boolean(row.isAnonymous)
  const email = isGuest ? '' : row.email
  const username = row.username ?? (isGuest ? name : emailName(email))
  const avatarUrl = row.username === null ? row.image : row.avatarUrl
  return { id, user: { id: userId, email, name, username, avatarUrl, isGuest, isAdmin: isAdminRole(role) } }
}

/**
 * Returns the value of a cookie if it was signed with the secret, as the sign-in library signs them: followed by a dot
 * and its HMAC. Of several with the name the first counts, which belongs to the narrowest path.
 */
export function readSignedCookie(
  cookies: string,
  { name, secret }: { name: string; secret: string },
): string | null {
  const signed = readCookie(cookies, name)
  const end = signed.lastIndexOf('.')
  if (end < 1) return null
  const value = signed.slice(0, end)
  const given = Buffer.from(signed.slice(end + 1))
  const expected = Buffer.from(createHmac('sha256', secret).update(value).digest('base64'))
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
}

function readCookie(cookies: string, name: string): string {
  const cookie = cookies.split(';').find((each) => each.split('=', 1)[0]?.trim() === name) ?? ''
  const value = cookie.slice(cookie.indexOf('=') + 1).trim()
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

import { createHmac } from 'node:crypto'
import { listCookies } from '@earshot/core/protocol/cookies'
import { sql } from 'kysely'
import { isSameSecret } from '../crypto/tokens.ts'
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

/** Each costs a query; a browser has two at most, of the host and of a parent domain. */
const maxSignedCookies = 4

/**
 * Returns the values of the cookies with a name that were signed with the secret, as the sign-in library signs them:
 * followed by a dot and its HMAC. The one of the narrowest path is the first.
 */
export function readSignedCookies(
  cookies: string,
  { name, secret }: { name: string; secret: string },
): string[] {
  const values = listCookies(cookies)
    .filter((cookie) => cookie.name === name)
    .slice(0, 2 * maxSignedCookies)
    .map(({ value }) => readSigned(decode(value), secret))
  return [...new Set(values.filter((value) => value !== null))].slice(0, maxSignedCookies)
}

/** Returns the cookies without those of the name that hold other signed values; null: all of the name. */
export function keepSignedCookie(
  cookies: string,
  { name, value }: { name: string; value: string | null },
): string {
  const isKept = (signed: string): boolean => value !== null && decode(signed).startsWith(`${value}.`)
  return listCookies(cookies)
    .filter((cookie) => cookie.name !== name || isKept(cookie.value))
    .map((cookie) => `${cookie.name}=${cookie.value}`)
    .join('; ')
}

function readSigned(signed: string, secret: string): string | null {
  const end = signed.lastIndexOf('.')
  if (end < 1) return null
  const value = signed.slice(0, end)
  const signature = createHmac('sha256', secret).update(value).digest('base64')
  return isSameSecret(signed.slice(end + 1), signature) ? value : null
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

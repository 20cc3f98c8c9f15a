import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, engineOf } from '../src/db/database.ts'
import { insertProfile } from '../src/db/profiles.ts'
import { newId } from '../src/ids.ts'

export interface SignedInUser {
  id: string
  name: string
  email: string
  /** The value of the browser's `Cookie` header. */
  cookie: string
}

const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1_000

/**
 * Inserts an account, its profile and a session, as a sign-up leaves them, and signs the session's cookie. Saves the
 * hashing of a password (128 ms of CPU), so nobody can sign in to the account. `db` may be a second connection to the
 * database of a server that runs in another process; `secret` is that server's SECRET.
 */
export async function insertSession(db: Db, secret: string, account: NewAccount): Promise<SignedInUser> {
  return await db.transaction().execute((transaction) => insertAccount(transaction, secret, account))
}

/** Inserts as many accounts with sessions in one transaction, as `insertSession` does one. */
export async function insertSessions(
  db: Db,
  secret: string,
  accounts: readonly NewAccount[],
): Promise<SignedInUser[]> {
  return await db.transaction().execute(async (transaction) => {
    const inserted: SignedInUser[] = []
    for (const account of accounts) inserted.push(await insertAccount(transaction, secret, account))
    return inserted
  })
}

interface NewAccount {
  name: string
  email?: string
}

async function insertAccount(
  db: Db,
  secret: string,
  { name, email = `${name}@${randomUUID()}.example` }: NewAccount,
): Promise<SignedInUser> {
  const id = newId()
  const nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  const no = engineOf(db) === 'postgres' ? false : 0
  await sql`insert into "user" ("id", "name", "email", "emailVerified", "isAnonymous", "banned", "mustConfirm", "role", "createdAt", "updatedAt")
    values (${id}, ${name}, ${email}, ${no}, ${no}, ${no}, ${no}, 'user', ${now}, ${now})`.execute(db)
  await sql`insert into "account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt")
    values (${newId()}, ${id}, 'credential', ${id}, ${now}, ${now})`.execute(db)
  await insertProfile(db, { id, username: name, avatarUrl: null, createdAtMs: nowMs })
  return { id, name, email, cookie: await addSession(db, secret, id) }
}

/** Inserts one more session of a user, as on another device. Returns its cookie. */
export async function addSession(db: Db, secret: string, userId: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  const expiresAt = new Date(nowMs + sessionLifetimeMs).toISOString()
  await sql`insert into "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt")
    values (${newId()}, ${token}, ${userId}, ${expiresAt}, ${now}, ${now})`.execute(db)
  return sessionCookie(token, secret)
}

/** Returns the cookie of a session, which need not exist. */
export function sessionCookie(token: string, secret: string): string {
  return `earshot.session_token=${signCookieValue(token, secret)}`
}

/** Signs a cookie's value as better-auth does: followed by its HMAC, and escaped. */
function signCookieValue(value: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(value).digest('base64')
  return encodeURIComponent(`${value}.${signature}`)
}

import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from './catalogue/library-search.ts'
import { type Db, engineOf } from './database.ts'
import { nameKeysOf } from './name-keys.ts'
import { serverLimits } from '../server-limits.ts'

/** The accounts, as the administration sees them. The sign-in library owns their table; it writes all else. */

interface UserRow {
  id: string
  username: string | null
  email: string
  createdAt: Date | string
  lastSeenAt: Date | string | null
  role: string | null
  banned: boolean | number | null
  library_access: number | null
}

const adminRole = 'admin'

const columns = sql`"user"."id", "profiles"."username", "user"."email", "user"."createdAt", "user"."role",
  "user"."banned", "profiles"."library_access",
  (select max("updatedAt") from "session" where "session"."userId" = "user"."id") as "lastSeenAt"`

const tables = sql`"user" left join "profiles" on "profiles"."id" = "user"."id"`

export function isAdminRole(role: string | null | undefined): boolean {
  return role === adminRole
}

/** Lists the users whose name or email contains a text, the newest first. An empty text is in all of them. */
export async function listUsers(
  db: Db,
  { q, offset }: { q: string; offset: number },
): Promise<{ users: AdminUser[]; total: number }> {
  const matches = matchUsers(q)
  const counted = await sql<{ count: number }>`select count(*) as "count" from ${tables}
    where ${matches}`.execute(db)
  const { rows } = await sql<UserRow>`select ${columns} from ${tables} where ${matches}
    order by "user"."createdAt" desc, "user"."id" limit ${serverLimits.adminPageSize} offset ${offset}`.execute(
    db,
  )
  return { users: rows.map(toUser), total: Number(counted.rows[0]?.count ?? 0) }
}

function matchUsers(q: string): RawBuilder<unknown> {
  const containing = (text: string): string => `%${escapeLike(text)}%`
  if (q === '') return sql`1 = 1`
  return sql`("profiles"."name_key" like ${containing(nameKeysOf(q).name_key)} escape '\\'
    or lower("user"."email") like ${containing(q.toLowerCase())} escape '\\')`
}

export async function findUser(db: Db, userId: string): Promise<AdminUser | null> {
  const { rows } = await sql<UserRow>`select ${columns} from ${tables} where "user"."id" = ${userId}`.execute(
    db,
  )
  return rows[0] ? toUser(rows[0]) : null
}

/**
 * Finds a user by the whole email, user name or id. An id counts before a name, and an email is no name: users choose their
 * names, and may choose what others are known by.
 */
export async function findUserByAnyName(db: Db, name: string): Promise<AdminUser | null> {
  const isNamed = name.includes('@') ? sql`1 = 0` : sql`"profiles"."name_key" = ${nameKeysOf(name).name_key}`
  const { rows } = await sql<UserRow>`select ${columns} from ${tables}
    where lower("user"."email") = ${name.toLowerCase()} or "user"."id" = ${name} or ${isNamed}
    order by case when lower("user"."email") = ${name.toLowerCase()} then 0
      when "user"."id" = ${name} then 1 else 2 end limit 1`.execute(db)
  return rows[0] ? toUser(rows[0]) : null
}

/** Whether a user is a guest, without an account. */
export async function isGuest(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from "user" where "id" = ${userId} and "isAnonymous" is true`.execute(
    db,
  )
  return rows.length > 0
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql`select 1 from "user" where "email" = ${email.toLowerCase()}`.execute(db)
  return rows.length > 0
}

export async function countUsers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from "user"`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Whether there is an administrator who is not disabled; apart from one, if given. */
export async function hasAdmin(db: Db, exceptUserId = ''): Promise<boolean> {
  const { rows } = await sql`select 1 from "user" where "role" = ${adminRole} and "id" <> ${exceptUserId}
    and ("banned" is null or "banned" = ${flag(db, false)}) limit 1`.execute(db)
  return rows.length > 0
}

/** Writes the name that the sign-in library keeps: pages show their own user by it. */
export async function writeName(db: Db, userId: string, name: string): Promise<void> {
  await sql`update "user" set "name" = ${name} where "id" = ${userId}`.execute(db)
}

export async function writeAdmin(db: Db, userId: string, isAdmin: boolean): Promise<void> {
  await sql`update "user" set "role" = ${isAdmin ? adminRole : 'user'} where "id" = ${userId}`.execute(db)
}

export async function writeDisabled(db: Db, userId: string, isDisabled: boolean): Promise<void> {
  await sql`update "user" set "banned" = ${flag(db, isDisabled)} where "id" = ${userId}`.execute(db)
}

/** Lets a user sign in whose address is not confirmed. It stays unconfirmed: nothing else may rely on it. */
export async function waiveConfirmation(db: Db, userId: string): Promise<void> {
  await sql`update "user" set "mustConfirm" = ${flag(db, false)} where "id" = ${userId}`.execute(db)
}

export async function writeLibraryAccess(db: Db, userId: string, hasAccess: boolean): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ library_access: hasAccess ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
}

/** Whether an administrator or an invite let the user use the library; administrators may, too. */
export async function readLibraryAccess(db: Db, userId: string): Promise<boolean> {
  const user = await findUser(db, userId)
  return user !== null && (user.isAdmin || user.hasLibraryAccess)
}

/** Deletes all sessions of a user. Returns their ids. */
export async function deleteSessions(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`delete from "session" where "userId" = ${userId}
    returning "id"`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns those of the sessions that exist. */
export async function listLivingSessions(db: Db, sessionIds: string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select "id" from "session"
    where "id" in (${sql.join(sessionIds)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The sign-in library's type of a flag. */
function flag(db: Db, value: boolean): boolean | number {
  return engineOf(db) === 'postgres' ? value : Number(value)
}

function toUser(row: UserRow): AdminUser {
  return {
    id: row.id,
    username: row.username ?? row.email.split('@')[0] ?? row.email,
    email: row.email,
    createdAt: new Date(row.createdAt).getTime(),
    lastSeenAt: row.lastSeenAt === null ? null : new Date(row.lastSeenAt).getTime(),
    isAdmin: isAdminRole(row.role),
    isDisabled: Boolean(row.banned),
    hasLibraryAccess: row.library_access === 1,
  }
}

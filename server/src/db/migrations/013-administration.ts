import { limits } from '@earshot/core/limits'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { nameKeysOf, numberedName } from '../name-keys.ts'

/** Adds roles, disabled accounts, invites to the server, the administrator's code, and unique user names. */
export const administration: Migration = {
  async up(db) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await addRoles(db, isPostgres)
    await addInvites(db)
    await addUniqueNames(db)
  },
}

/** The columns of the sign-in library's admin plugin (better-auth 1.7). */
async function addRoles(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  await db.schema.alterTable('user').addColumn('role', 'text').execute()
  await db.schema
    .alterTable('user')
    .addColumn('banned', isPostgres ? 'boolean' : 'integer')
    .execute()
  await db.schema.alterTable('user').addColumn('banReason', 'text').execute()
  await db.schema
    .alterTable('user')
    .addColumn('banExpires', isPostgres ? 'timestamptz' : 'date')
    .execute()
  await db.schema.alterTable('session').addColumn('impersonatedBy', 'text').execute()
}

async function addInvites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('server_invites')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('uses', 'integer', (column) => column.notNull())
    .addColumn('max_uses', 'integer', (column) => column.notNull())
    .addColumn('gives_library', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('admin_codes')
    .addColumn('code_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts_left', 'integer', (column) => column.notNull())
    .execute()
}

interface Named {
  profiles: {
    id: string
    username: string
    created_at: number
    name_key: string | null
    name_look: string | null
    library_access: number
  }
}

/** Of equal names, the oldest stays as it is and the others get a number: ann, ann 2. */
async function addUniqueNames(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('profiles').addColumn('name_key', 'text').execute()
  await db.schema.alterTable('profiles').addColumn('name_look', 'text').execute()
  await db.schema
    .alterTable('profiles')
    .addColumn('library_access', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  const named = db as Kysely<Named>
  // Who was here before the setting existed keeps the library.
  await named.updateTable('profiles').set({ library_access: 1 }).execute()
  const rows = await named
    .selectFrom('profiles')
    .select(['id', 'username'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const taken = new Set<string>()
  const nextNumber = new Map<string, number>()
  for (const { id, username } of rows) {
    const free = findFree(username, taken, nextNumber)
    await named
      .updateTable('profiles')
      .set({ username: free, ...nameKeysOf(free) })
      .where('id', '=', id)
      .execute()
  }
  await sql`create unique index "profiles_name_key" on "profiles" ("name_key")`.execute(db)
  await sql`create unique index "profiles_name_look" on "profiles" ("name_look")`.execute(db)
}

/** Remembers where the numbers of a name got to: a thousand users may be called the same. */
function findFree(username: string, taken: Set<string>, nextNumber: Map<string, number>): string {
  const first = nameKeysOf(username).name_look
  for (let number = nextNumber.get(first) ?? 1; ; number += 1) {
    const candidate = numberedName(username, number, limits.displayNameMaxLength)
    const { name_key, name_look } = nameKeysOf(candidate)
    if (taken.has(`key ${name_key}`) || taken.has(`look ${name_look}`)) continue
    taken.add(`key ${name_key}`).add(`look ${name_look}`)
    nextNumber.set(first, number + 1)
    return candidate
  }
}

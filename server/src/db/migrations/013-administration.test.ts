import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { type Db, type DatabaseOptions, openDatabase, sqliteFileName } from '../database.ts'
import { createPostgresDialect } from '../dialects/postgres.ts'
import { createSqliteDialect } from '../dialects/sqlite.ts'
import { initialTables } from './001-initial-tables.ts'

/** Opens a database as the first version left it: its profiles are those of today without the later columns. */
async function openFirstVersion({ databaseUrl, dataDir }: DatabaseOptions): Promise<Db> {
  const dialect =
    databaseUrl === null
      ? createSqliteDialect({ path: join(dataDir, sqliteFileName), onError: () => {} })
      : createPostgresDialect(databaseUrl, () => {})
  const db: Db = new Kysely({ dialect })
  const provider = { getMigrations: async () => ({ '001-initial-tables': initialTables }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  expect(error).toBeUndefined()
  return db
}

describeDatabases('the migration of user names', (_open, make) => {
  it('16.34 gives equal names a number, the oldest keeps the name, and all keep the library', async () => {
    const options = await make()
    const first = await openFirstVersion(options)
    const names = ['Ann', 'ann', 'bob', 'ANN', 'ann 2', 'Аnn', 'a'.repeat(60), 'A'.repeat(60), '\u200B']
    for (const [index, name] of names.entries()) {
      await sql`insert into profiles
        (id, username, full_name, preferred_source, spotify_connected, youtube_connected, created_at)
        values (${`u${index}`}, ${name}, '', 'library', 0, 0, ${index})`.execute(first)
    }
    await first.destroy()
    const db = await openDatabase(options)
    try {
      const rows = await db
        .selectFrom('profiles')
        .select(['username', 'library_access'])
        .orderBy('created_at')
        .execute()
      expect(rows.map(({ username }) => username)).toEqual([
        'Ann',
        'ann 2',
        'bob',
        'ANN 3',
        'ann 2 2',
        'Аnn 4',
        'a'.repeat(60),
        `${'A'.repeat(58)} 2`,
        '\u200B',
      ])
      expect(new Set(rows.map((row) => row.library_access))).toEqual(new Set([1]))
    } finally {
      await db.destroy()
    }
  })
})

import { join } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Db, type DatabaseOptions, migrations, sqliteFileName } from '../database.ts'
import { createPostgresDialect } from '../dialects/postgres.ts'
import { createSqliteDialect } from '../dialects/sqlite.ts'

/** Opens a database as the first version left it: its tables are those of today without the later columns. */
export async function openFirstVersion(options: DatabaseOptions): Promise<Db> {
  return openVersionWith(options, ['001'])
}

/** Opens a database as a version left it that had the migrations of these numbers. */
export async function openVersionWith(
  { databaseUrl, dataDir }: DatabaseOptions,
  numbers: readonly string[],
): Promise<Db> {
  const dialect =
    databaseUrl === null
      ? createSqliteDialect({ path: join(dataDir, sqliteFileName), onError: () => {} })
      : createPostgresDialect(databaseUrl, () => {})
  const db: Db = new Kysely({ dialect })
  const known = Object.entries(migrations).filter(([name]) => numbers.includes(name.slice(0, 3)))
  const provider = { getMigrations: async () => Object.fromEntries(known) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
  return db
}

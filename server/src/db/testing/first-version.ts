import { join } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Db, type DatabaseOptions, sqliteFileName } from '../database.ts'
import { createPostgresDialect } from '../dialects/postgres.ts'
import { createSqliteDialect } from '../dialects/sqlite.ts'
import { initialTables } from '../migrations/001-initial-tables.ts'

/** Opens a database as the first version left it: its tables are those of today without the later columns. */
export async function openFirstVersion({ databaseUrl, dataDir }: DatabaseOptions): Promise<Db> {
  const dialect =
    databaseUrl === null
      ? createSqliteDialect({ path: join(dataDir, sqliteFileName), onError: () => {} })
      : createPostgresDialect(databaseUrl, () => {})
  const db: Db = new Kysely({ dialect })
  const provider = { getMigrations: async () => ({ '001-initial-tables': initialTables }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
  return db
}

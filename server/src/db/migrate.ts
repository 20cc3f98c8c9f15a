import { Migrator } from 'kysely/migration'
import type { Db } from './database.ts'
import { initialTables } from './migrations/001-initial-tables.ts'

/** In order. One that was released is never edited: a change of the tables is a new one. */
const migrations = { '001-initial-tables': initialTables }

/**
 * Runs the migrations that the database has not seen, all in one transaction and under a lock: processes that start
 * at the same time wait for the first of them.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, inject } from 'vitest'
import { type DatabaseOptions, type Db, sqliteFileName } from '../src/db/database.ts'
import { createPostgresDialect } from '../src/db/dialects/postgres.ts'
import { createSqliteDialect } from '../src/db/dialects/sqlite.ts'
import { makeFolder, makeLastingFolder, removeFolder } from './folders.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'
import { openReusableDatabase, type ReusableDatabase } from './reusable-database.ts'

interface Engine {
  name: 'SQLite' | 'PostgreSQL'
  /** Opens a copy of the migrated template. */
  open(): Promise<ReusableDatabase>
  /** Returns the options of a new database without tables. */
  make(): Promise<DatabaseOptions>
}

const sqlite: Engine = {
  name: 'SQLite',
  async open() {
    const folder = await makeLastingFolder()
    await addDatabase(folder)
    const dialect = createSqliteDialect({ path: join(folder, sqliteFileName), onError: () => {} })
    const reusable = openReusableDatabase(dialect, listSqliteTables, 'pragma defer_foreign_keys = on')
    return {
      ...reusable,
      async close() {
        await reusable.close()
        await removeFolder(folder)
      },
    }
  },
  make: async () => ({ databaseUrl: null, dataDir: await makeFolder() }),
}

/** Without those of the search index, which follow those of the library. */
async function listSqliteTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'
    and name not like 'kysely%' and name not like 'library_search%' and name <> 'library_trigrams'`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

const postgres: Engine = {
  name: 'PostgreSQL',
  async open() {
    const url = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
    const dialect = createPostgresDialect(url, () => {})
    return openReusableDatabase(dialect, listPostgresTables, 'set local session_replication_role = replica')
  },
  make: async () => ({
    databaseUrl: await createPostgresDatabase(inject('postgresUrl'), null),
    dataDir: '',
  }),
}

async function listPostgresTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%'`.execute(db)
  return rows.map(({ name }) => name)
}

/** Creates a data folder with a migrated SQLite database, removed when the running test finishes. */
export async function makeDataFolder(): Promise<string> {
  const folder = await makeFolder()
  await addDatabase(folder)
  return folder
}

/** Puts a migrated SQLite database into a folder. */
export async function addDatabase(folder: string): Promise<void> {
  await copyFile(inject('sqliteTemplate'), join(folder, sqliteFileName))
}

/** `altered`: the test changes tables or indexes, so no other one uses the database after it. */
type Use = 'same tables' | 'altered'

/**
 * Runs a suite once on each engine. Each `open()` gives a database with all tables and no rows, closed after the test;
 * a suite about opening takes `make()`, which gives the options of a new one without tables.
 */
export function describeDatabases(
  name: string,
  suite: (open: (use?: Use) => Promise<Db>, make: () => Promise<DatabaseOptions>) => void,
): void {
  for (const engine of [sqlite, postgres]) {
    describe(`${name} (${engine.name})`, () => {
      const unused: ReusableDatabase[] = []
      const used: { reusable: ReusableDatabase; db: Db; use: Use }[] = []
      afterEach(async () => {
        await Promise.all(
          used.splice(0).map(async ({ reusable, db, use }) => {
            await db.destroy()
            if (use === 'altered') return reusable.close()
            await reusable.clear()
            unused.push(reusable)
          }),
        )
      })
      afterAll(() => Promise.all(unused.splice(0).map((reusable) => reusable.close())))
      const open = async (use: Use = 'same tables'): Promise<Db> => {
        const reusable = unused.pop() ?? (await engine.open())
        const db = reusable.connect()
        used.push({ reusable, db, use })
        return db
      }
      suite(open, () => engine.make())
    })
  }
}

import { copyFile, mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, inject, onTestFinished } from 'vitest'
import { type DatabaseOptions, type Db, sqliteFileName } from '../src/db/database.ts'
import { createPostgresDialect } from '../src/db/dialects/postgres.ts'
import { createSqliteDialect } from '../src/db/dialects/sqlite.ts'
import { makeFolder } from './folders.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'
import { openReusableDatabase, type ReusableDatabase } from './reusable-database.ts'

interface Engine {
  name: 'SQLite' | 'PostgreSQL'
  /** Opens a copy of the migrated template. */
  open(): Promise<ReusableDatabase>
  /** Takes one back when its suite is over. */
  release(reusable: ReusableDatabase): Promise<void>
  /** Returns the options of a new database without tables. */
  make(): Promise<DatabaseOptions>
}

const sqlite: Engine = {
  name: 'SQLite',
  open: takeSqlite,
  release: releaseSqlite,
  make: async () => ({ databaseUrl: null, dataDir: await makeFolder() }),
}

/**
 * SQLite databases that no test uses, without rows. They stay open for later tests of this worker: starting two threads
 * takes more processor time than the rest of a server.
 */
const spare: ReusableDatabase[] = []
/** Results of `readTablesVersion` when each database was opened. */
const tablesVersions = new WeakMap<ReusableDatabase, number>()

async function takeSqlite(): Promise<ReusableDatabase> {
  return spare.pop() ?? (await openSqlite())
}

/** Beside the template, so that the run removes both. */
async function openSqlite(): Promise<ReusableDatabase> {
  const folder = await mkdtemp(join(dirname(inject('sqliteTemplate')), 'copy-'))
  await addDatabase(folder)
  const dialect = createSqliteDialect({ path: join(folder, sqliteFileName), onError: () => {} })
  const reusable = openReusableDatabase(dialect, listSqliteTables, 'pragma defer_foreign_keys = on')
  tablesVersions.set(reusable, await readTablesVersion(reusable))
  return reusable
}

/** Empties it for the next test, or closes it where the last one changed its tables. */
async function releaseSqlite(reusable: ReusableDatabase): Promise<void> {
  if (tablesVersions.get(reusable) !== (await readTablesVersion(reusable))) return reusable.close()
  await reusable.clear()
  spare.push(reusable)
}

/** SQLite's number of the tables and indexes, another one after each change. */
async function readTablesVersion(reusable: ReusableDatabase): Promise<number> {
  const db = reusable.connect()
  const { rows } = await sql<{ version: number }>`select schema_version as version
    from pragma_schema_version`.execute(db)
  await db.destroy()
  return rows[0]?.version ?? 0
}

/** Lends a SQLite database with all tables and no rows. */
export async function lendDatabase(): Promise<{ db: Db; giveBack: () => Promise<void> }> {
  const reusable = await takeSqlite()
  const db = reusable.connect()
  const giveBack = async (): Promise<void> => {
    await db.destroy()
    await releaseSqlite(reusable)
  }
  return { db, giveBack }
}

/** Lends one to the running test. */
export async function borrowDatabase(): Promise<Db> {
  const { db, giveBack } = await lendDatabase()
  onTestFinished(giveBack)
  return db
}

/** A database whose results come once `until` is settled; where that rejects, its queries fail. */
export function holdResults(db: Db, until: Promise<void>): Db {
  // It may reject before there is a result.
  until.catch(() => undefined)
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await until
      return result
    },
  })
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
  release: (reusable) => reusable.close(),
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
async function addDatabase(folder: string): Promise<void> {
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
      afterAll(() => Promise.all(unused.splice(0).map((reusable) => engine.release(reusable))))
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

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import { migrate } from './migrate.ts'
import type { Database } from './schema.ts'

/** The database, or a transaction in it: what every query function takes first. */
export type Db = Kysely<Database>

export interface DatabaseOptions {
  /** Null for SQLite in the data folder. */
  databaseUrl: string | null
  dataDir: string
  /** Told when an idle connection to PostgreSQL breaks; the next query gets a new one. */
  onIdleError?: (error: Error) => void
}

/**
 * Opens the database and brings its tables up to date, also when several processes do so at once. Rejects with a
 * message that names the variable where it cannot be opened.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Db> {
  let db: Db | null = null
  try {
    db = await connect(options)
    await migrate(db)
    return db
  } catch (error) {
    await db?.destroy()
    throw new Error(describeFailure(options, error), { cause: error })
  }
}

async function connect({ databaseUrl, dataDir, onIdleError = () => {} }: DatabaseOptions): Promise<Db> {
  if (databaseUrl !== null) {
    const { createPostgresDialect } = await import('./dialects/postgres.ts')
    return new Kysely({ dialect: createPostgresDialect(databaseUrl, onIdleError) })
  }
  const { createSqliteDialect } = await import('./dialects/sqlite.ts')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return new Kysely({ dialect: createSqliteDialect(join(dataDir, sqliteFileName)) })
}

export const sqliteFileName = 'earshot.sqlite'

function describeFailure({ databaseUrl, dataDir }: DatabaseOptions, error: unknown): string {
  const reason = error instanceof Error ? error.message || error.name : String(error)
  return databaseUrl === null
    ? `DATA_DIR: the database in ${dataDir} cannot be opened: ${reason}`
    : `DATABASE_URL: the PostgreSQL database cannot be opened: ${reason}`
}

/** Which of the two engines it is: they differ in how the sign-in library must speak to them. */
export function engineOf(db: Db): 'postgres' | 'sqlite' {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/**
 * Makes a select lock the rows that it finds in `table` until its transaction ends. On SQLite, where a transaction
 * has the whole database to itself, it changes nothing. Rows that refer to a locked one can still be added.
 */
export function lockRow<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  table: Tables & string,
): SelectQueryBuilder<DB, Tables, Row> {
  return query.forNoKeyUpdate(table)
}

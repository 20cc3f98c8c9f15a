import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database } from '../schema.ts'
import { SqliteConnection, SqliteDriver } from './sqlite/driver.ts'

const defaultBusyTimeoutMs = 10_000

export interface SqliteOptions {
  path: string
  /** How long a write waits for the lock of another process, ms. */
  busyTimeoutMs?: number
  /** Called when a thread of the database ends unexpectedly (the next query starts it again), and when writes time out. */
  onError: (error: Error) => void
}

/**
 * Runs SQLite, Node's own module, in threads: one writes, others read. The main thread only sends statements, so that
 * neither a slow query nor a lock nor the disk holds it up.
 */
export function createSqliteDialect({ path, onError, busyTimeoutMs }: SqliteOptions): Dialect {
  const driverOptions = { path, onError, busyTimeoutMs: busyTimeoutMs ?? defaultBusyTimeoutMs }
  return { ...queryParts, createDriver: () => new SqliteDriver(driverOptions) }
}

class ThreadedAdapter extends SqliteAdapter {
  /** The writing thread serialises transactions. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** SQLite can roll back schema changes, so migrations run in one transaction and under its lock. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Omits row locks: SQLite has none, and a transaction holds the only write lock. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct' || node.rawModifier !== undefined) super.visitSelectModifier(node)
  }
}

/** The dialect without its driver: enough to compile queries. */
const queryParts: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new ThreadedAdapter(),
  createQueryCompiler: () => new LocklessCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
}

/**
 * Collects the writes of `write` and stores them on SQLite as one transaction, in one message to its thread. The first
 * must change a row: where it does not, nothing is stored. Resolves to whether they were stored.
 * Queries run on the given database resolve at once, without rows, as if each had changed one.
 */
export async function writeTogether(
  db: Kysely<Database>,
  write: (collecting: Kysely<Database>) => Promise<unknown>,
): Promise<boolean> {
  const queries: CompiledQuery[] = []
  const driver = new CollectingDriver(queries)
  await write(new Kysely<Database>({ dialect: { ...queryParts, createDriver: () => driver } }))
  return await db.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof SqliteConnection)) throw new TypeError('Only SQLite takes collected writes')
    return await connection.executeGuarded(queries)
  })
}

class CollectingDriver extends DummyDriver {
  readonly #connection: DatabaseConnection

  constructor(queries: CompiledQuery[]) {
    super()
    this.#connection = {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        queries.push(query)
        return { rows: [], numAffectedRows: 1n }
      },
      async *streamQuery() {},
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
}

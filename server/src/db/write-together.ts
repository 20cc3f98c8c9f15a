import { type CompiledQuery, type DatabaseConnection, DummyDriver, Kysely, type QueryResult } from 'kysely'
import { SqliteConnection } from './dialects/sqlite/driver.ts'
import { queryParts } from './dialects/sqlite.ts'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

/**
 * Collects the writes of `write` and stores them on SQLite as one transaction, in one message to its thread. The first
 * must change a row: where it does not, nothing is stored. Resolves to whether they were stored.
 * Queries run on the given database resolve at once, without rows.
 */
export async function writeTogether(db: Db, write: (collecting: Db) => Promise<void>): Promise<boolean> {
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
        return { rows: [] }
      },
      async *streamQuery() {},
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
}

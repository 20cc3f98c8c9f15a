import { type DatabaseConnection, type Dialect, type Driver, Kysely, sql } from 'kysely'
import type { Db } from '../src/db/database.ts'
import type { Database } from '../src/db/schema.ts'

/** A migrated database that one test uses after the other: to open one takes longer than most tests. */
export interface ReusableDatabase {
  /**
   * Returns a connection for one test. `destroy` ends it for that test only, once its queries are done; later ones
   * are refused.
   */
  connect(): Db
  /** Removes all rows, for the next test. Tables must be as they were. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Returns the names of the tables with rows of ours. */
export type ListTables = (db: Db) => Promise<string[]>

/** `ahead` is run before rows are deleted, in the same transaction: it must suspend the checks of references. */
export function openReusableDatabase(
  dialect: Dialect,
  listTables: ListTables,
  ahead: string,
): ReusableDatabase {
  const driver = dialect.createDriver()
  let opening: Promise<void> | null = null
  const ready = (): Promise<void> => (opening ??= driver.init())
  let findFilled: string | null = null
  const open = (): Db =>
    new Kysely<Database>({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createQueryCompiler: () => dialect.createQueryCompiler(),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createDriver: () => new ReusedDriver(driver, ready),
      },
    })
  return {
    connect: open,
    async clear() {
      const db = open()
      findFilled ??= (await listTables(db)).map(selectIfFilled).join(' union all ')
      const { rows: filled } = await sql.raw<{ name: string }>(findFilled).execute(db)
      if (filled.length > 0) {
        await db.transaction().execute(async (transaction) => {
          await sql.raw(ahead).execute(transaction)
          for (const { name } of filled) await sql.raw(`delete from "${name}"`).execute(transaction)
        })
      }
      await db.destroy()
    },
    close: () => driver.destroy(),
  }
}

/** Most tests fill a few tables of many. */
function selectIfFilled(table: string): string {
  return `select '${table}' as name where exists (select 1 from "${table}")`
}

/** Passes on to a driver that outlives it. */
class ReusedDriver implements Driver {
  readonly #driver: Driver
  readonly init: () => Promise<void>
  /** Of connections in use: called when they are released. */
  readonly #inUse = new Map<DatabaseConnection, PromiseWithResolvers<void>>()

  constructor(driver: Driver, init: () => Promise<void>) {
    this.#driver = driver
    this.init = init
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.#driver.acquireConnection()
    this.#inUse.set(connection, Promise.withResolvers())
    return connection
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#driver.releaseConnection(connection)
    this.#inUse.get(connection)?.resolve()
    this.#inUse.delete(connection)
  }

  beginTransaction: Driver['beginTransaction'] = (...given) => this.#driver.beginTransaction(...given)
  commitTransaction: Driver['commitTransaction'] = (...given) => this.#driver.commitTransaction(...given)
  rollbackTransaction: Driver['rollbackTransaction'] = (...given) =>
    this.#driver.rollbackTransaction(...given)

  async destroy(): Promise<void> {
    await Promise.all([...this.#inUse.values()].map(({ promise }) => promise))
  }
}

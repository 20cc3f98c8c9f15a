import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
} from 'kysely'

/** How long a statement waits for another process's write, in ms. */
const busyTimeoutMs = 10_000

/**
 * Opens SQLite through Node's own module. Kysely serialises queries and transactions on the one connection, so
 * transactions never mix. Write-ahead log with full sync: commits survive a killed process and a power cut.
 */
export function createSqliteDialect(path: string): Dialect {
  return new NodeSqliteDialect({ database: async () => openFile(path) })
}

function openFile(path: string): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  return {
    close: () => database.close(),
    prepare: (sql) => toKyselyStatement(database, sql),
  }
}

/** Adapts a statement to Kysely, which passes all parameters in one array. */
function toKyselyStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(toInput)),
    run: (parameters) => statement.run(...parameters.map(toInput)),
    iterate: (parameters) => statement.iterate(...parameters.map(toInput)),
  }
}

function toInput(value: unknown): SQLInputValue {
  const isInput =
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Uint8Array
  if (!isInput) throw new TypeError(`SQLite cannot store a value of type ${typeof value}`)
  return value
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessCompiler()
  }
}

/**
 * Takes the write lock at the start of each transaction. A transaction that starts with a read fails at its first write
 * if another process has written since; with the lock it waits instead.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** SQLite can roll back schema changes, so migrations run in one transaction and under its lock. */
class TransactionalAdapter extends SqliteAdapter {
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

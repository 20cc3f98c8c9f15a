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

/** How long a statement waits for another process that writes, ms. */
const busyTimeoutMs = 10_000

/**
 * SQLite through Node's own module. One connection, on which Kysely lets queries and transactions through one after
 * the other, so that two transactions never mix. Write-ahead log with full sync: what was committed survives a
 * killed process and a power cut.
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

/** Kysely takes statements in the form of another module, with all parameters in one array. */
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
 * A transaction takes the write lock as it begins. One that began by reading would fail when it comes to write and
 * another process has written since; this one waits for its turn instead.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** SQLite can undo changes of the schema, so the migrations of a start run in one transaction: under its lock. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** There are no row locks, and no need of them: whoever has the write lock is alone. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct' || node.rawModifier !== undefined) super.visitSelectModifier(node)
  }
}

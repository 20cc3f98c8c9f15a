import type { SQLInputValue } from 'node:sqlite'
import { AppError } from '@earshot/core/protocol/errors'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import {
  type DatabaseThread,
  type ResultSet,
  SqliteFailure,
  createDatabaseThread,
  threadEnded,
} from './database-thread.ts'
import { type Statement, type Work, isBusy, isDiskFailure, notChanged } from './messages.ts'

/** A query that took more processor time, in ms, runs apart from the others the next time. */
const slowQueryMs = 10
/** Bounds the memory of which queries are slow. */
const slowQueriesKept = 200

interface DriverOptions {
  path: string
  busyTimeoutMs: number
  onError: (error: Error) => void
}

/**
 * Sends statements to the threads of the database: writes and transactions to one, reads to another. Queries that were
 * slow before have a third, which starts when it is needed, so that a search never delays a room.
 */
export class SqliteDriver implements Driver {
  readonly #onError: (error: Error) => void
  readonly #writer: DatabaseThread
  readonly #reader: DatabaseThread
  readonly #slowReader: DatabaseThread
  readonly #slowQueries = new Set<string>()
  #isFailing = false
  #lastTransaction = 0

  constructor({ onError, ...options }: DriverOptions) {
    this.#onError = onError
    this.#writer = createDatabaseThread({ ...options, isReadOnly: false }, onError)
    this.#reader = createDatabaseThread({ ...options, isReadOnly: true }, onError)
    this.#slowReader = createDatabaseThread({ ...options, isReadOnly: true, isLowPriority: true }, onError)
  }

  /** Opens the file, which the readers need to exist. */
  async init(): Promise<void> {
    await this.#writer.call({ kind: 'unit', statements: [] })
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    const transactionId = ++this.#lastTransaction
    await this.write({ kind: 'begin', transactionId })
    connection.transactionId = transactionId
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await this.#end(connection, true)
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await this.#end(connection, false)
  }

  async releaseConnection(): Promise<void> {}

  /** The writer is the last, so that it can merge the write-ahead log into the file. */
  async destroy(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#slowReader.close()])
    await this.#writer.close()
  }

  /** Runs a query outside a transaction, on a connection that only reads. */
  async read(statement: Statement): Promise<ResultSet[]> {
    const { sql } = statement
    const thread = this.#slowQueries.has(sql) ? this.#slowReader : this.#reader
    const results = await thread.call({ kind: 'unit', statements: [statement] }).catch(throwAppError)
    this.#slowQueries.delete(sql)
    if ((results[0]?.processorMs ?? 0) > slowQueryMs) this.#slowQueries.add(sql)
    const [oldest] = this.#slowQueries
    if (this.#slowQueries.size > slowQueriesKept && oldest !== undefined) this.#slowQueries.delete(oldest)
    return results
  }

  /** Sends work to the writing thread. @throws AppError unavailable, or SqliteFailure */
  async write(work: Work): Promise<ResultSet[]> {
    try {
      const results = await this.#writer.call(work)
      this.#isFailing = false
      return results
    } catch (error) {
      if (error instanceof SqliteFailure) this.#reportFailure(error)
      return throwAppError(error)
    }
  }

  /** Once, until a write succeeds again. */
  #reportFailure(cause: SqliteFailure): void {
    const isLock = isBusy(cause)
    if (this.#isFailing || !(isLock || isDiskFailure(cause))) return
    this.#isFailing = true
    const reason = isLock
      ? 'Another process holds the write lock of the database'
      : 'The disk is full, broken or read-only'
    this.#onError(new Error(`${reason}; writes fail`, { cause }))
  }

  async #end(connection: SqliteConnection, isCommit: boolean): Promise<void> {
    const { transactionId } = connection
    if (transactionId === null) return
    connection.transactionId = null
    await this.write({ kind: 'end', transactionId, isCommit })
  }
}

/** The connection on which Kysely runs queries, one at a time, in a transaction or not. */
export class SqliteConnection implements DatabaseConnection {
  transactionId: number | null = null
  readonly #driver: SqliteDriver

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const [result] = await this.#run(query)
    return toQueryResult<Row>(result)
  }

  /**
   * Runs statements in one transaction and one message. The first must change a row: otherwise nothing is stored.
   * Resolves to whether it did.
   */
  async executeGuarded(queries: CompiledQuery[]): Promise<boolean> {
    const statements = queries.map((query, index) => ({ ...toStatement(query), mustChange: index === 0 }))
    try {
      await this.#driver.write({ kind: 'unit', statements })
      return true
    } catch (error) {
      if (error instanceof SqliteFailure && error.code === notChanged) return false
      throw error
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  #run(query: CompiledQuery): Promise<ResultSet[]> {
    const statement = toStatement(query)
    const { transactionId } = this
    if (transactionId !== null) return this.#driver.write({ kind: 'inside', transactionId, statement })
    if (isRead(query)) return this.#driver.read(statement)
    return this.#driver.write({ kind: 'unit', statements: [statement] })
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql))
}

function toStatement({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters: parameters.map(toInput) }
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

function toQueryResult<Row>(result: ResultSet | undefined): QueryResult<Row> {
  if (!result) return { rows: [] }
  const rows = result.rows as Row[]
  if (result.columns) return { rows }
  return { rows, insertId: BigInt(result.lastInsertRowid), numAffectedRows: BigInt(result.changes) }
}

/** Another process's lock, the disk, or a thread that ended, may pass: the client may try again. */
function throwAppError(error: unknown): never {
  const isPassing =
    error instanceof SqliteFailure && (isBusy(error) || isDiskFailure(error) || error.code === threadEnded)
  if (isPassing) throw new AppError('unavailable', undefined, { cause: error })
  throw error
}

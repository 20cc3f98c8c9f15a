import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BoundedMap } from '../../../bounded-map.ts'
import { type Failure, type Statement, type StatementResult, notChanged } from './messages.ts'

/** Prepared statements kept per connection. The server has about a hundred; lists of ids vary in length. */
const statementsKept = 300

interface Prepared {
  statement: StatementSync
  /** Null for a statement that returns no rows. */
  columns: string[] | null
}

/** Runs statements on one connection and keeps them prepared, the least recently used evicted first. */
export interface Statements {
  run(statement: Statement): StatementResult
}

/** The error of a statement with `mustChange` that changed no row. */
class NotChangedError extends Error {
  readonly code = notChanged
}

/** Creates the statements of a connection; `run` throws the error of SQLite, or `NotChangedError`. */
export function createStatements(database: DatabaseSync): Statements {
  const known = new BoundedMap<string, Prepared>(statementsKept)
  // A connection notices that another one changed the tables only when it runs a statement.
  const readSchema = database.prepare('select 1 from sqlite_schema limit 0')

  const prepareNew = (sql: string): Prepared => {
    readSchema.all()
    return toPrepared(database.prepare(sql))
  }

  const prepare = (sql: string): Prepared => {
    const found = known.get(sql) ?? prepareNew(sql)
    known.set(sql, found)
    return found
  }

  return {
    run({ sql, parameters, mustChange = false }) {
      const { statement, columns } = prepare(sql)
      if (columns) return readMeasured(statement, columns, parameters)
      const result = statement.run(...parameters)
      if (mustChange && Number(result.changes) === 0) throw new NotChangedError('No row was changed')
      return { columns: null, rows: [], processorMs: null, ...result }
    },
  }
}

function toPrepared(statement: StatementSync): Prepared {
  const columns = statement.columns().map((column) => column.name)
  // Arrays cost half as much to send as objects.
  statement.setReturnArrays(true)
  return { statement, columns: columns.length > 0 ? columns : null }
}

function readMeasured(
  statement: StatementSync,
  columns: string[],
  parameters: Statement['parameters'],
): StatementResult {
  const before = process.threadCpuUsage()
  const rows = statement.all(...parameters) as unknown as StatementResult['rows']
  const { user, system } = process.threadCpuUsage(before)
  return { columns, rows, changes: 0, lastInsertRowid: 0, processorMs: (user + system) / 1_000 }
}

/** Converts an error to a form that can be sent. */
export function toFailure(error: unknown): Failure {
  const { message, code, errcode } = error as Partial<Failure>
  return {
    message: message ?? String(error),
    code: code ?? 'ERR_SQLITE_ERROR',
    errcode: errcode ?? null,
  }
}

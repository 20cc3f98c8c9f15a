import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

/** The messages between the main thread and a thread that owns a connection to SQLite. */

export interface Statement {
  sql: string
  parameters: SQLInputValue[]
  /** Rolls its unit back unless it changes a row; the unit then fails with `notChanged`. */
  mustChange?: boolean
}

/** A request to a thread. */
export type Work =
  /** Statements that succeed or fail together. Answered once they are on disk. */
  | { kind: 'unit'; statements: Statement[] }
  /** Opens a transaction over several messages; units wait until it ends. */
  | { kind: 'begin'; transactionId: number }
  | { kind: 'inside'; transactionId: number; statement: Statement }
  | { kind: 'end'; transactionId: number; isCommit: boolean }
  /** Closes the connection after all earlier work, and ends the thread. */
  | { kind: 'close' }

/** `more` asks for the next rows of a long result. */
export type Request = (Work & { id: number }) | { kind: 'more'; resultId: number }

export interface StatementResult {
  /** Null for a statement that returns no rows. */
  columns: string[] | null
  rows: SQLOutputValue[][]
  changes: number | bigint
  lastInsertRowid: number | bigint
  /** Processor time of a read: waiting for a busy machine does not count. Null for a write, which is not measured. */
  processorMs: number | null
}

/** An error in a form that can be sent. */
export interface Failure {
  message: string
  code: string
  /** SQLite's extended result code; null for other errors. */
  errcode: number | null
}

/** `hasMore`: further rows of the last result wait for a request `more`, and come under the same id. */
export type Reply =
  | { id: number; results: StatementResult[]; hasMore: boolean }
  | { id: number; failure: Failure }

/** The code of a failure by `mustChange`. */
export const notChanged = 'ERR_NOT_CHANGED'

/** Options of a thread, as its `workerData`. */
export interface ConnectionOptions {
  path: string
  isReadOnly: boolean
  /** Gives way to the other threads of this machine, on Linux. */
  isLowPriority?: boolean
  /** How long a write waits for the lock of another process, ms. */
  busyTimeoutMs: number
}

const primaryBusyCode = 5
/** SQLITE_FULL; SQLITE_IOERR, by which SQLite reports a full disk in some places; SQLITE_READONLY and SQLITE_CANTOPEN. */
const primaryDiskCodes = [13, 10, 8, 14]

/** Whether SQLite failed because another process holds a lock. */
export function isBusy({ errcode }: Pick<Failure, 'errcode'>): boolean {
  return errcode !== null && (errcode & 0xff) === primaryBusyCode
}

/** Whether SQLite failed because of the disk: it is full, broken, read-only or gone. */
export function isDiskFailure({ errcode }: Pick<Failure, 'errcode'>): boolean {
  return errcode !== null && primaryDiskCodes.includes(errcode & 0xff)
}

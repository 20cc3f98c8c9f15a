import type { DatabaseSync } from 'node:sqlite'
import type { Checkpoints } from './checkpoints.ts'
import { type Failure, type Request, type StatementResult, isBusy } from './messages.ts'
import { type Statements, toFailure } from './statements.ts'

/** Between attempts to get the write lock that another process holds. */
const retryMs = 10
/** Bounds how long a group holds the write lock. */
const unitsPerGroup = 256
/** Other statements (pragma, vacuum, changes of the schema) may not run in a transaction. */
const isGroupable = /^\s*(insert|update|delete|replace)\b/i

type Unit = Extract<Request, { kind: 'unit' }>
type TransactionStep = Extract<Request, { kind: 'inside' | 'end' }>
type QueuedRequest = Exclude<Request, { kind: 'more' }>
type Waiting = { request: Exclude<QueuedRequest, TransactionStep>; arrivedAt: number }

/** The results of a request, or its failure. */
export type Outcome = StatementResult[] | Failure

/**
 * Runs the requests of one connection in order of arrival. Writes that arrive while a commit waits for the disk share
 * the next commit, each unit in a savepoint of its own, so that a failed one does not roll back the others. While
 * another process holds the write lock, retries without blocking; what waited longer than the busy timeout fails.
 */
interface RequestQueue {
  add(request: QueuedRequest): void
  /** Runs what can run now. Call it after `add`. */
  run(): void
}

interface RequestQueueParts {
  database: DatabaseSync
  statements: Statements
  /** Null for a connection that only reads. */
  checkpoints: Checkpoints | null
  busyTimeoutMs: number
  reply: (id: number, outcome: Outcome) => void
  /** Adds the requests that arrived during the last commit. */
  collect: () => void
  close: () => void
}

export function createRequestQueue(parts: RequestQueueParts): RequestQueue {
  const { database, statements, checkpoints } = parts
  const waiting: Waiting[] = []
  let openTransaction: number | null = null
  let retryTimer: NodeJS.Timeout | null = null

  const reply = (id: number, outcome: Outcome): void => {
    parts.reply(id, outcome)
    checkpoints?.countAnswer()
  }

  const runStep = (request: TransactionStep): Outcome => {
    const isRollback = request.kind === 'end' && !request.isCommit
    if (request.transactionId !== openTransaction) {
      return isRollback ? [] : toFailure(new Error('The transaction is no longer open'))
    }
    const outcome = attempt(() => {
      if (request.kind === 'inside') return [statements.run(request.statement)]
      if (isRollback) database.exec('rollback')
      else commit(database)
      return []
    })
    // After a severe error, such as a full disk, SQLite has rolled back by itself.
    if (!database.isTransaction) openTransaction = null
    return outcome
  }

  /** Runs the work at the front. Returns its outcomes, or null while another process holds the write lock. */
  const runFirst = ({ request }: Waiting): Outcome[] | null => {
    if (request.kind !== 'begin') return runGroup(takeGroup(waiting), database, statements)
    const begun = attempt(() => begin(database))
    if (!Array.isArray(begun)) return isBusy(begun) ? null : [begun]
    openTransaction = request.transactionId
    return [begun]
  }

  const run = (): void => {
    for (;;) {
      // Before the next requests are taken, of which the first would wait for it.
      checkpoints?.mergeIfDue()
      parts.collect()
      const [first] = waiting
      if (first === undefined || openTransaction !== null || retryTimer) return
      if (first.request.kind === 'close') return parts.close()
      const outcomes = runFirst(first)
      if (!outcomes) return retryLater()
      const done = waiting.splice(0, outcomes.length)
      for (const [index, outcome] of outcomes.entries()) reply(done[index]?.request.id ?? 0, outcome)
    }
  }

  const retryLater = (): void => {
    const expired = takeExpired(waiting, performance.now() - parts.busyTimeoutMs)
    for (const id of expired) reply(id, busyFailure)
    retryTimer = setTimeout(() => {
      retryTimer = null
      run()
    }, retryMs)
  }

  return {
    add(request) {
      if (request.kind === 'inside' || request.kind === 'end') reply(request.id, runStep(request))
      else waiting.push({ request, arrivedAt: performance.now() })
    },
    run,
  }
}

const busyFailure: Failure = { message: 'database is locked', code: 'ERR_SQLITE_ERROR', errcode: 5 }

/** Removes the requests at the front that arrived before a time, ms. Returns their ids. */
function takeExpired(waiting: Waiting[], beforeMs: number): number[] {
  const isKept = ({ request, arrivedAt }: Waiting) => request.kind === 'close' || arrivedAt >= beforeMs
  const index = waiting.findIndex(isKept)
  return waiting.splice(0, index < 0 ? waiting.length : index).map(({ request }) => request.id)
}

/** Returns the units at the front that may share a commit. */
function takeGroup(waiting: Waiting[]): Unit[] {
  const group: Unit[] = []
  for (const { request } of waiting) {
    if (request.kind !== 'unit' || group.length === unitsPerGroup) break
    const canShare = request.statements.every(({ sql }) => isGroupable.test(sql))
    if (!canShare && group.length > 0) break
    group.push(request)
    if (!canShare) break
  }
  return group
}

function runGroup(group: Unit[], database: DatabaseSync, statements: Statements): Outcome[] | null {
  const [first] = group
  const outcomes =
    first && group.length === 1 && first.statements.length <= 1
      ? [attempt(() => first.statements.map((statement) => statements.run(statement)))]
      : runTogether(group, database, statements)
  return outcomes.some((outcome) => !Array.isArray(outcome) && isBusy(outcome)) ? null : outcomes
}

/** Runs units with one commit. Where the transaction as a whole fails, so does every unit. */
function runTogether(group: Unit[], database: DatabaseSync, statements: Statements): Outcome[] {
  const outcomes: Outcome[] = []
  const whole = attempt(() => {
    begin(database)
    for (const unit of group) outcomes.push(runInSavepoint(unit, database, statements))
    return commit(database)
  })
  return Array.isArray(whole) ? outcomes : group.map(() => whole)
}

/** @throws where SQLite has rolled back the whole transaction */
function runInSavepoint(unit: Unit, database: DatabaseSync, statements: Statements): Outcome {
  database.exec('savepoint unit')
  try {
    const results = unit.statements.map((statement) => statements.run(statement))
    database.exec('release unit')
    return results
  } catch (error) {
    if (!database.isTransaction) throw error
    database.exec('rollback to unit; release unit')
    return toFailure(error)
  }
}

function begin(database: DatabaseSync): StatementResult[] {
  database.exec('begin immediate')
  return []
}

/** Rolls back where committing fails, for example because the disk is full. */
function commit(database: DatabaseSync): StatementResult[] {
  try {
    database.exec('commit')
    return []
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function attempt(run: () => StatementResult[]): Outcome {
  try {
    return run()
  } catch (error) {
    return toFailure(error)
  }
}

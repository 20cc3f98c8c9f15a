// The thread that owns a connection to SQLite; see `database-thread.ts` for the other side.
import { constants } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../async/low-priority.ts'
import { createCheckpoints } from './checkpoints.ts'
import type { ConnectionOptions, Reply, Request, StatementResult } from './messages.ts'
import { type Outcome, createRequestQueue } from './request-queue.ts'
import { createStatements } from './statements.ts'

/** A long result is sent in parts, as reading a message blocks the main thread. */
const rowsPerMessage = 500

if (!parentPort) throw new Error('This file runs in a worker thread')
const port = parentPort
const options = workerData as ConnectionOptions
if (options.isLowPriority) lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const database = openFile(options)
const statements = createStatements(database)
/** Rows that wait for a request `more`, by result. */
const unsent = new Map<number, { result: StatementResult; from: number }>()
let isClosing = false

const queue = createRequestQueue({
  database,
  statements,
  checkpoints: options.isReadOnly ? null : createCheckpoints(database),
  busyTimeoutMs: options.busyTimeoutMs,
  reply,
  collect: () => {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) accept(next.message)
  },
  close: () => {
    isClosing = true
    closeOnceSent()
  },
})

port.on('message', (request: Request) => {
  accept(request)
  queue.run()
})

function accept(request: Request): void {
  if (request.kind === 'more') sendMore(request.resultId)
  else queue.add(request)
}

/**
 * Write-ahead log with full sync: commits survive a killed process and a power cut. Opening waits for other processes
 * in SQLite itself; later the queue waits, so that the connection is never blocked by a lock.
 */
function openFile({ path, isReadOnly, busyTimeoutMs }: ConnectionOptions): DatabaseSync {
  const opened = new DatabaseSync(path, {
    readOnly: isReadOnly,
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  })
  if (!isReadOnly) {
    opened.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 0')
  }
  return opened
}

function reply(id: number, outcome: Outcome): void {
  if (!Array.isArray(outcome)) return post({ id, failure: outcome })
  const last = outcome.at(-1)
  const hasMore = last !== undefined && last.rows.length > rowsPerMessage
  if (!hasMore) return post({ id, results: outcome, hasMore })
  unsent.set(id, { result: last, from: rowsPerMessage })
  const first = { ...last, rows: last.rows.slice(0, rowsPerMessage) }
  post({ id, results: [...outcome.slice(0, -1), first], hasMore })
}

function sendMore(id: number): void {
  const rest = unsent.get(id)
  if (!rest) return
  const to = rest.from + rowsPerMessage
  const part = { ...rest.result, rows: rest.result.rows.slice(rest.from, to) }
  rest.from = to
  const hasMore = to < rest.result.rows.length
  if (!hasMore) unsent.delete(id)
  post({ id, results: [part], hasMore })
  if (isClosing) closeOnceSent()
}

function closeOnceSent(): void {
  if (unsent.size > 0) return
  database.close()
  port.close()
}

function post(message: Reply): void {
  port.postMessage(message)
}

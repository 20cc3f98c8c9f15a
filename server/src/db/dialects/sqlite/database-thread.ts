import type { SQLOutputValue } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ConnectionOptions, Failure, Reply, Request, StatementResult, Work } from './messages.ts'

/** The result of a statement, its rows as objects. */
export interface ResultSet extends Omit<StatementResult, 'rows'> {
  rows: Record<string, SQLOutputValue>[]
}

/** A connection to SQLite in a thread of its own. */
export interface DatabaseThread {
  /**
   * Sends work; resolves to a result per statement, once writes are on disk. The thread starts with the first call, and
   * again after it ended unexpectedly, which rejects the work under way.
   * @throws SqliteFailure
   */
  call(work: Work): Promise<ResultSet[]>
  /** Waits for the work under way, open transactions included, for at most 5 s, and closes the connection. */
  close(): Promise<void>
}

/** An error of SQLite, or of the thread. */
export class SqliteFailure extends Error {
  readonly code: string
  /** SQLite's extended result code; null for other errors. */
  readonly errcode: number | null

  constructor({ message, code, errcode }: Failure) {
    super(message)
    this.name = 'SqliteFailure'
    this.code = code
    this.errcode = errcode
  }
}

/** The code of a failure because the thread ended: whether a write is stored is unknown. */
export const threadEnded = 'ERR_THREAD_ENDED'

/** An open transaction that has not ended by then is rolled back. */
const closeTimeoutMs = 5_000

/** Rows live briefly: a larger space only takes longer to fill, and stays in memory. */
const youngHeapMb = 4

interface Call {
  results: ResultSet[]
  resolve: (results: ResultSet[]) => void
  reject: (failure: Failure) => void
}

interface RunningThread {
  worker: Worker
  calls: Map<number, Call>
  ended: Promise<void>
}

/** `onEnd` is called when the thread ends unexpectedly after it had answered. */
export function createDatabaseThread(
  options: ConnectionOptions,
  onEnd: (error: Error) => void,
): DatabaseThread {
  let running: RunningThread | null = null
  let isClosing = false
  let lastId = 0

  const send = (work: Work): Promise<ResultSet[]> => {
    const { worker, calls } = (running ??= start())
    const id = ++lastId
    return new Promise((resolve, reject) => {
      calls.set(id, { results: [], resolve, reject })
      // A waiting call keeps the process alive; an idle thread does not.
      worker.ref()
      worker.postMessage({ ...work, id } satisfies Request)
    })
  }

  const start = (): RunningThread => {
    const thread = startThread(options, (error) => {
      if (running === thread) running = null
      if (error && !isClosing) onEnd(error)
    })
    return thread
  }

  return {
    async call(work) {
      if (isClosing && !running) {
        throw new SqliteFailure({ message: 'The database is closed', code: threadEnded, errcode: null })
      }
      try {
        return await send(work)
      } catch (failure) {
        // Created here, so that its stack shows the caller.
        throw new SqliteFailure(failure as Failure)
      }
    },
    async close() {
      if (!running) return
      // The thread still takes the end of an open transaction, and closes after it.
      const { worker, ended } = running
      isClosing = true
      worker.ref()
      worker.postMessage({ kind: 'close', id: 0 } satisfies Request)
      const closing = new AbortController()
      await Promise.race([
        ended,
        delay(closeTimeoutMs, undefined, { signal: closing.signal }).catch(() => undefined),
      ])
      closing.abort()
      void worker.terminate()
    },
  }
}

/** `onExit` gets an error if the thread had answered before. */
function startThread(options: ConnectionOptions, onExit: (error: Error | null) => void): RunningThread {
  const resourceLimits = { maxYoungGenerationSizeMb: youngHeapMb }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options, resourceLimits })
  const calls = new Map<number, Call>()
  let hasAnswered = false
  let reason = new Error('The thread of the database ended')
  worker.on('message', (reply: Reply) => {
    hasAnswered = true
    receive(worker, calls, reply)
  })
  worker.on('error', (error: Error) => (reason = error))
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      onExit(hasAnswered ? reason : null)
      const code = hasAnswered ? threadEnded : 'ERR_THREAD_START'
      for (const { reject } of calls.values()) reject({ message: reason.message, code, errcode: null })
      resolve()
    })
  })
  return { worker, calls, ended }
}

function receive(worker: Worker, calls: Map<number, Call>, reply: Reply): void {
  const call = calls.get(reply.id)
  if (!call) return
  if ('results' in reply) {
    addResults(call.results, reply.results)
    if (reply.hasMore) return worker.postMessage({ kind: 'more', resultId: reply.id } satisfies Request)
  }
  calls.delete(reply.id)
  if (calls.size === 0) worker.unref()
  if ('results' in reply) call.resolve(call.results)
  else call.reject(reply.failure)
}

/** Appends results, or the next rows of the last one. */
function addResults(known: ResultSet[], added: StatementResult[]): void {
  const continued = known.at(-1)
  for (const { rows, ...result } of added) {
    const objects = rows.map((row) => toObject(result.columns ?? [], row))
    if (continued) continued.rows.push(...objects)
    else known.push({ ...result, rows: objects })
  }
}

function toObject(columns: string[], row: SQLOutputValue[]): Record<string, SQLOutputValue> {
  const object: Record<string, SQLOutputValue> = {}
  // Not by `entries()`: its pairs are many times as large as the object.
  for (let index = 0; index < columns.length; index += 1) object[columns[index] ?? ''] = row[index] ?? null
  return object
}

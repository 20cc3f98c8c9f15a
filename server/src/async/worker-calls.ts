import { parentPort, Worker } from 'node:worker_threads'
import { lowerPriority } from './low-priority.ts'

/** The functions that a worker thread offers. Inputs and results are copied, so they must be plain data. */
type WorkerHandlers = Record<string, (input: never) => Promise<unknown>>

type InputOf<Handler extends (input: never) => unknown> = Parameters<Handler>[0]
type ResultOf<Handler extends (input: never) => unknown> = Awaited<ReturnType<Handler>>

/** A worker thread, seen from the thread that uses it. */
export interface WorkerCalls<Handlers extends WorkerHandlers> {
  /** Calls a function in the worker, which is started if it does not run. Rejects as the function does. */
  call<Name extends keyof Handlers & string>(
    name: Name,
    input: InputOf<Handlers[Name]>,
  ): Promise<ResultOf<Handlers[Name]>>
  /** Ends the worker for good; unfinished and later calls reject. */
  close(): Promise<void>
}

/** A call took longer than its worker may take. */
export class WorkerTimeoutError extends Error {
  override name = 'WorkerTimeoutError'
}

export interface WorkerOptions {
  data?: unknown
  /** A call that takes longer, in ms, rejects with `WorkerTimeoutError` and ends the worker, and with it all other calls. */
  timeoutMs: number
  /** Ends the worker when it had no call for this long, in ms, to return its memory. Never by default. */
  idleMs?: number
  maxHeapMb: number
  /** Receives what the worker sends by `notify`. */
  onNotice?: (notice: unknown) => void
}

/** For short-lived objects. The default, 48, is held for good by a thread that makes many. */
const youngHeapMb = 6

/** A third of the processor time of an ordinary thread, where both want all of it. */
export const workerNiceness = 5

interface Request {
  id: number
  name: string
  input: unknown
}
type Answer = { id: number; result: unknown } | { id: number; error: Error }
type Response = Answer | { notice: unknown }

interface Pending {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/**
 * Calls functions in a worker thread. A worker that ends is started again by the next call, once its thread has
 * ended: while a disk hangs, a thread stays and holds threads of the process's pool.
 */
export function openWorker<Handlers extends WorkerHandlers>(
  module: URL,
  options: WorkerOptions,
): WorkerCalls<Handlers> {
  const pending = new Map<number, Pending>()
  let worker: Worker | null = null
  let earlierExit: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0

  const finish = (id: number): Pending | undefined => {
    const call = pending.get(id)
    // An answer of a worker that was ended meanwhile.
    if (!call) return undefined
    clearTimeout(call.timer)
    pending.delete(id)
    if (pending.size === 0 && options.idleMs !== undefined) {
      idleTimer = setTimeout(() => void end(new Error('idle')), options.idleMs).unref()
    }
    return call
  }
  const end = async (reason: Error): Promise<void> => {
    if (worker) earlierExit = worker.terminate()
    worker = null
    for (const id of pending.keys()) finish(id)?.reject(reason)
    clearTimeout(idleTimer)
    await earlierExit
  }
  const start = (): Worker => {
    const started = startWorker(module, options)
    onEnd(started, (error) => {
      if (worker === started) void end(error)
    })
    started.on('message', (response: Response) => {
      if ('notice' in response) options.onNotice?.(response.notice)
      else settle(finish(response.id), response)
    })
    return started
  }
  const send = async (request: Request): Promise<void> => {
    await earlierExit
    if (pending.has(request.id)) (worker ??= start()).postMessage(request)
  }

  return {
    async call(name, input) {
      if (isClosed) throw closedError()
      clearTimeout(idleTimer)
      const id = (lastId += 1)
      return new Promise<never>((resolve, reject) => {
        const timer = setTimeout(() => void end(timeoutError(name, options)), options.timeoutMs)
        pending.set(id, { resolve: resolve as Pending['resolve'], reject, timer })
        send({ id, name, input }).catch((error: Error) => finish(id)?.reject(error))
      })
    },
    async close() {
      isClosed = true
      await end(closedError())
    },
  }
}

function onEnd(worker: Worker, run: (error: Error) => void): void {
  worker.on('error', run)
  worker.on('exit', (code) => run(new Error(`The worker ended with code ${code}`)))
}

function settle(call: Pending | undefined, answer: Answer): void {
  if ('error' in answer) call?.reject(answer.error)
  else call?.resolve(answer.result)
}

const timeoutError = (name: string, { timeoutMs }: WorkerOptions): WorkerTimeoutError =>
  new WorkerTimeoutError(`${name} took longer than ${timeoutMs} ms`)

function startWorker(module: URL, { data, maxHeapMb }: WorkerOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngHeapMb }
  return new Worker(module, { workerData: data, resourceLimits })
}

const closedError = (): Error => new Error('The worker was closed')

/**
 * Offers functions to the thread that started this one. Call once, in the worker. Other threads take precedence: on
 * Linux, a priority belongs to a thread.
 */
export function answerCalls(handlers: WorkerHandlers, niceness = workerNiceness): void {
  lowerPriority(niceness)
  const answer = async ({ id, name, input }: Request): Promise<Response> => {
    try {
      const handler = handlers[name]
      if (!handler) throw new Error(`The worker has no function ${name}`)
      return { id, result: await handler(input as never) }
    } catch (error) {
      return { id, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  parentPort?.on('message', (request: Request) => {
    void answer(request).then((response) => parentPort?.postMessage(response))
  })
}

/** Sends a notice to the thread that started this one. */
export function notify(notice: unknown): void {
  parentPort?.postMessage({ notice } satisfies Response)
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

const signals = ['SIGTERM', 'SIGINT'] as const
/** The process exits this long after draining, even if closing has not finished. */
const closeTimeoutMs = 10_000
/** A thread that takes longer is in a call of a disk that does not answer. */
const threadsEndWithinMs = 500
/** Parent processes forward signals that the server received too: within this time it is the same signal. */
const sameSignalMs = 1_000

/** The threads of this process that have not ended. */
type Threads = ReadonlySet<Worker>

/** Notes the threads that are started from now on. */
export function trackThreads(): Threads {
  const threads = new Set<Worker>()
  process.on('worker', (thread) => {
    threads.add(thread)
    thread.once('exit', () => threads.delete(thread))
  })
  return threads
}

/**
 * Closes the server on SIGTERM or SIGINT and exits with 0. A second signal exits with 1 at once. `drainMs`: how long closing
 * waits for balancers first.
 */
export function closeOnSignal(
  close: () => Promise<void>,
  { logger, drainMs, threads }: { logger: Logger; drainMs: number; threads: Threads },
): void {
  let firstAtMs: number | null = null
  for (const signal of signals) {
    const exit = (code: number): void => void endProcess(code, threads, signal)
    process.on(signal, () => {
      if (firstAtMs !== null) {
        if (performance.now() - firstAtMs > sameSignalMs) exit(1)
        return
      }
      firstAtMs = performance.now()
      logger.info({ signal }, 'Closing')
      setTimeout(() => exit(1), drainMs + closeTimeoutMs).unref()
      close().then(
        () => exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'Could not close cleanly; exiting')
          exit(1)
        },
      )
    })
  }
}

/**
 * Logs an uncaught error and exits with 1: the state of the process is undefined after it. Further ones come of the
 * threads that have ended.
 */
export function endOnUncaughtError(logger: Logger, threads: Threads): void {
  let isEnding = false
  const end = (error: unknown): void => {
    if (isEnding) return
    isEnding = true
    logger.fatal({ err: error }, 'Uncaught error; exiting')
    void endProcess(1, threads)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** Exits. `process.exit` waits for threads, which a hanging disk may hold for ever: then `signal` ends the process. */
export async function endProcess(
  code: number,
  threads: Threads,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (await endThreads(threads)) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Ends all threads, those too in which Node itself calls the file system. Resolves to whether none is left. */
async function endThreads(threads: Threads): Promise<boolean> {
  const giveUpAtMs = performance.now() + threadsEndWithinMs
  for (const thread of threads) void thread.terminate()
  for (;;) {
    const isInCall = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
    if (threads.size === 0 && !isInCall) return true
    if (performance.now() > giveUpAtMs) return false
    await delay(10)
  }
}

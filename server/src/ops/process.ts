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
export type Threads = ReadonlySet<Worker>

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
    const exit = (code: number): void => void endThreads(threads).then((ended) => endBy(signal, code, ended))
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

/** `process.exit` waits for threads, which a hanging disk may hold for ever: the signal itself does not. */
function endBy(signal: NodeJS.Signals, code: number, areThreadsEnded: boolean): void {
  if (areThreadsEnded) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Logs an uncaught error and exits: the state of the process is undefined after it. */
export function endOnUncaughtError(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.fatal({ err: error }, 'Uncaught error; exiting')
    process.exit(1)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

import { type Logger, pino } from 'pino'

const signals = ['SIGTERM', 'SIGINT'] as const
/** The process exits this long after draining, even if closing has not finished. */
const closeTimeoutMs = 10_000
/** Parent processes forward signals that the server received too: within this time it is the same signal. */
const sameSignalMs = 1_000

/** Creates a logger that writes readable lines to a terminal and JSON to anything else, synchronously. */
export async function createLogger(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level, base: null })
  const { PinoPretty } = await import('pino-pretty')
  return pino(
    { level, base: null },
    PinoPretty({ sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }),
  )
}

/**
 * Closes the server on SIGTERM or SIGINT and exits with 0. A second signal exits with 1 at once. `drainMs`: how long closing
 * waits for balancers first.
 */
export function closeOnSignal(close: () => Promise<void>, logger: Logger, drainMs: number): void {
  let firstAtMs: number | null = null
  for (const signal of signals) {
    process.on(signal, () => {
      if (firstAtMs !== null) {
        if (performance.now() - firstAtMs > sameSignalMs) process.exit(1)
        return
      }
      firstAtMs = performance.now()
      logger.info({ signal }, 'Closing')
      setTimeout(() => process.exit(1), drainMs + closeTimeoutMs).unref()
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'Could not close cleanly; exiting')
          process.exit(1)
        },
      )
    })
  }
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

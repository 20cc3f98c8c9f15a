import type { Logger } from 'pino'

const signals = ['SIGTERM', 'SIGINT'] as const
/** Longer than this nobody waits for what is still open. */
const patienceMs = 10_000
/** Programs around the server pass a signal on that it got itself: within this time it is still the same one. */
const sameSignalMs = 1_000

/**
 * Ends the process as it is asked to: closes everything and exits with 0. A second signal, from somebody who does not
 * want to wait, ends it at once.
 */
export function closeOnSignal(close: () => Promise<void>, logger: Logger): void {
  let firstAtMs: number | null = null
  for (const signal of signals) {
    process.on(signal, () => {
      if (firstAtMs !== null) {
        if (performance.now() - firstAtMs > sameSignalMs) process.exit(1)
        return
      }
      firstAtMs = performance.now()
      logger.info({ signal }, 'Closing')
      setTimeout(() => process.exit(1), patienceMs).unref()
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'Not everything could be closed')
          process.exit(1)
        },
      )
    })
  }
}

/** An error that nobody caught leaves the process in a state that nobody knows: it is logged, and the process ends. */
export function endOnUncaughtError(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.fatal({ err: error }, 'An error that nobody caught')
    process.exit(1)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

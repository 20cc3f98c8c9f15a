import type { Clock } from '@earshot/core/clock'

/**
 * Runs a task every `everyMs`, counted from the end of the last run, the first time after `firstMs`. A task that fails
 * is reported and tried again in its turn. Returns a function that stops it and resolves when no run is under way.
 */
export function repeat(
  clock: Clock,
  timing: { firstMs: number; everyMs: number },
  task: () => Promise<void>,
  reportFailure: (error: unknown) => void,
): () => Promise<void> {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let cancel = (): void => {}

  const plan = (afterMs: number): void => {
    if (isStopped) return
    cancel = clock.after(afterMs, () => {
      running = task()
        .catch(reportFailure)
        .finally(() => plan(timing.everyMs))
    })
  }
  plan(timing.firstMs)

  return async () => {
    isStopped = true
    cancel()
    await running
  }
}

import type { Clock } from '@earshot/core/clock'

/**
 * Runs a task after `firstMs`, then every `everyMs` counted from the end of the previous run. A failed run is reported
 * and does not end the repetition. Returns a function that stops it and resolves when no run is under way.
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

  const schedule = (afterMs: number): void => {
    if (isStopped) return
    cancel = clock.after(afterMs, () => {
      running = task()
        .catch(reportFailure)
        .finally(() => schedule(timing.everyMs))
    })
  }
  schedule(timing.firstMs)

  return async () => {
    isStopped = true
    cancel()
    await running
  }
}

import type { Clock } from '@earshot/core/clock'
import { createKeyedTimers } from './keyed-timers.ts'

/** Runs a task for a key at once, and for all requests that come within the wait after that once more at its end. */
export interface KeyedThrottle<Result> {
  /** Returns the result of the task where it runs at once, otherwise null. */
  request(key: string): Result | null
  /** Makes the key's wait end `ms` from now. */
  wait(key: string, ms: number): void
  /** Drops the requests that wait. */
  close(): void
}

export function createKeyedThrottle<Result>(
  clock: Clock,
  waitMs: number,
  task: (key: string) => Result,
): KeyedThrottle<Result> {
  const timers = createKeyedTimers(clock)
  const requested = new Set<string>()

  const wait = (key: string, ms: number): void =>
    timers.set(key, clock.now() + ms, () => {
      if (requested.delete(key)) run(key)
    })
  const run = (key: string): Result => {
    wait(key, waitMs)
    return task(key)
  }

  return {
    request(key) {
      if (!timers.has(key)) return run(key)
      requested.add(key)
      return null
    },
    wait,
    close() {
      timers.close()
      requested.clear()
    },
  }
}

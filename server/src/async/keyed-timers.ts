import type { Clock } from '@earshot/core/clock'

/** Timers with at most one pending per key. */
export interface KeyedTimers {
  /** Runs once at `atMs`, or as soon as possible where that is past. Replaces the key's timer. */
  set(key: string, atMs: number, run: () => void): void
  has(key: string): boolean
  cancel(key: string): void
  /** Cancels all timers; later calls of `set` do nothing. */
  close(): void
}

export function createKeyedTimers(clock: Clock): KeyedTimers {
  const cancels = new Map<string, () => void>()
  let isClosed = false

  const cancel = (key: string): void => {
    cancels.get(key)?.()
    cancels.delete(key)
  }

  return {
    set(key, atMs, run) {
      cancel(key)
      if (isClosed) return
      const stop = clock.after(Math.max(0, atMs - clock.now()), () => {
        cancels.delete(key)
        run()
      })
      cancels.set(key, stop)
    },
    has: (key) => cancels.has(key),
    cancel,
    close() {
      isClosed = true
      for (const key of cancels.keys()) cancel(key)
    },
  }
}

import type { Clock } from '@earshot/core/clock'

/** The longest delay of a platform timer; beyond it, it fires at once. */
const longestTimerMs = 2 ** 31 - 1

/**
 * The real clock. Monotonic: the system time at process start plus the time elapsed, so that setting the system clock
 * neither stops nor repeats timers. Timers do not keep the process alive.
 */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms, run) {
    let timer: NodeJS.Timeout
    const wait = (leftMs: number): void => {
      const next = leftMs > longestTimerMs ? () => wait(leftMs - longestTimerMs) : run
      timer = setTimeout(next, Math.min(Math.max(0, leftMs), longestTimerMs)).unref()
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}

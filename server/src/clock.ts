import type { Clock } from '@earshot/core/clock'

/** Beyond it a timer of the platform fires at once instead of late. */
const longestTimerMs = 2 ** 31 - 1

/**
 * The real clock. Its time is the machine's at the start of the process plus what has passed since, so that setting
 * the machine's clock neither stops nor repeats anything. Its timers do not keep the process alive.
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

import type { Clock } from '../clock.ts'

/** A client's clock as it differs from the true time. */
export interface ClientClockOptions {
  /** How far it is ahead at first, in ms. */
  clockOffsetMs: number
  /** How much faster than the true time it runs. */
  clockDriftPpm: number
}

/** The clock of one client: wrong, and not steady. Timers set by it wait while the machine sleeps. */
export interface ClientClock extends Clock {
  /** What the sound device goes by: the same clock without its leaps, in ms. */
  deviceNow(): number
  /** The clock is suddenly so far ahead (or, negative, behind); neither timers nor sound notice. */
  leap(ms: number): void
  /** For so long the clock stands still, and everything that the machine does with it. */
  sleep(ms: number): void
  /** How far the clock is ahead of the sound device's, in ms. */
  readonly leaptMs: number
  /** True time until it wakes, in ms; 0 for one that is awake. */
  readonly leftToSleepMs: number
}

export function createClientClock(trueClock: Clock, options: ClientClockOptions): ClientClock {
  const beganAtMs = trueClock.now()
  let leaptMs = 0
  let sleptMs = 0
  let asleepUntilMs = beganAtMs
  const leftToSleepMs = (): number => Math.max(0, asleepUntilMs - trueClock.now())
  const deviceNow = (): number => {
    const awakeMs = trueClock.now() - beganAtMs - sleptMs + leftToSleepMs()
    return beganAtMs + options.clockOffsetMs + awakeMs * (1 + options.clockDriftPpm / 1e6)
  }
  return {
    deviceNow,
    now: () => deviceNow() + leaptMs,
    after(ms, run) {
      let cancel = (): void => {}
      const runAwake = (): void => {
        const waitMs = leftToSleepMs()
        if (waitMs === 0) run()
        else cancel = trueClock.after(waitMs, runAwake)
      }
      cancel = trueClock.after(ms, runAwake)
      return () => cancel()
    },
    leap(ms) {
      leaptMs += ms
    },
    sleep(ms) {
      asleepUntilMs = trueClock.now() + leftToSleepMs() + ms
      sleptMs += ms
    },
    get leaptMs() {
      return leaptMs
    },
    get leftToSleepMs() {
      return leftToSleepMs()
    },
  }
}

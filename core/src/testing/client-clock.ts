import type { Clock } from '../clock.ts'

/** The deviation of a client's clock from the true time. */
export interface ClientClockOptions {
  /** How far it is ahead at first, in ms. */
  clockOffsetMs: number
  /** How much faster than the true time it runs. */
  clockDriftPpm: number
}

/** An inaccurate client clock. Its timers wait while the machine sleeps. */
export interface ClientClock extends Clock {
  /** The clock of the sound device, in ms: the same clock without the jumps. */
  deviceNow(): number
  /** Sets the clock forward (negative: back) without affecting its timers or the sound device. */
  jump(ms: number): void
  /** Stops the clock, its timers and the sound device for `ms`. */
  sleep(ms: number): void
  /** The sum of all jumps, in ms. */
  readonly jumpedMs: number
  /** True time until the machine wakes, in ms; 0 while it is awake. */
  readonly remainingSleepMs: number
}

export function createClientClock(trueClock: Clock, options: ClientClockOptions): ClientClock {
  const startedAtMs = trueClock.now()
  let jumpedMs = 0
  let totalSleepMs = 0
  let sleepsUntilMs = startedAtMs
  const remainingSleepMs = (): number => Math.max(0, sleepsUntilMs - trueClock.now())
  const deviceNow = (): number => {
    const awakeMs = trueClock.now() - startedAtMs - totalSleepMs + remainingSleepMs()
    return startedAtMs + options.clockOffsetMs + awakeMs * (1 + options.clockDriftPpm / 1e6)
  }
  return {
    deviceNow,
    now: () => deviceNow() + jumpedMs,
    after(ms, run) {
      let cancel = (): void => {}
      const runAwake = (): void => {
        const waitMs = remainingSleepMs()
        if (waitMs === 0) run()
        else cancel = trueClock.after(waitMs, runAwake)
      }
      cancel = trueClock.after(ms, runAwake)
      return () => cancel()
    },
    jump(ms) {
      jumpedMs += ms
    },
    sleep(ms) {
      sleepsUntilMs = trueClock.now() + remainingSleepMs() + ms
      totalSleepMs += ms
    },
    get jumpedMs() {
      return jumpedMs
    },
    get remainingSleepMs() {
      return remainingSleepMs()
    },
  }
}

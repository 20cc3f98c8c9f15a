import type { Clock } from '@earshot/core/clock'

/** The longest delay of a platform timer; beyond it, it fires at once. */
const longestTimerMs = 2 ** 31 - 1
/** Listeners measure the clock every few seconds: at this rate they follow within half a millisecond. */
const slewRate = 100 / 1e6

/** The sources of a clock: the machine's time, which may be set, and the elapsed time, which may not. */
interface ClockSource {
  machineMs: () => number
  elapsedMs: () => number
}

const system: ClockSource = {
  machineMs: () => performance.timeOrigin + performance.now(),
  elapsedMs: () => performance.now(),
}

/** A clock that runs by itself from the time at which it was created, and can be corrected. */
export interface ServerClock extends Clock {
  /** Corrects by `ms` at 0.01 %, so that listeners notice nothing. Replaces a correction under way. */
  slew(ms: number): void
  /** Corrects by `ms` at once, backwards too. Timers keep their delays. */
  step(ms: number): void
}

/** Creates a clock that is monotonic between steps. Timers do not keep the process alive. */
export function createServerClock({ machineMs, elapsedMs }: ClockSource = system): ServerClock {
  let offsetMs = machineMs() - elapsedMs()
  let slewing = { ms: 0, fromMs: 0 }

  const slewedMs = (atMs: number): number => {
    const limitMs = (atMs - slewing.fromMs) * slewRate
    return Math.max(-limitMs, Math.min(limitMs, slewing.ms))
  }
  const endSlew = (atMs: number): void => {
    offsetMs += slewedMs(atMs)
    slewing = { ms: 0, fromMs: atMs }
  }

  return {
    now() {
      const atMs = elapsedMs()
      return atMs + offsetMs + slewedMs(atMs)
    },
    after: runAfter,
    slew(ms) {
      const atMs = elapsedMs()
      endSlew(atMs)
      slewing = { ms, fromMs: atMs }
    },
    step(ms) {
      endSlew(elapsedMs())
      offsetMs += ms
    },
  }
}

function runAfter(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (leftMs: number): void => {
    const next = leftMs > longestTimerMs ? () => wait(leftMs - longestTimerMs) : run
    timer = setTimeout(next, Math.min(Math.max(0, leftMs), longestTimerMs)).unref()
  }
  wait(ms)
  return () => clearTimeout(timer)
}

/** The clock of a process that nobody corrects. */
export const systemClock: Clock = createServerClock()

import type { Clock } from '../clock.ts'

/** A clock that only moves when a test advances it. */
export interface FakeClock extends Clock {
  /** Advances by `ms` and runs each timer that falls due, at its time and in order. */
  advance(ms: number): void
  /** As `advance`, but lets promises settle after each timer. */
  advanceAsync(ms: number): Promise<void>
  /** The number of pending timers. */
  readonly pending: number
}

interface Timer {
  atMs: number
  run: () => void
}

/** @param startMs the initial value of `now()` */
export function createFakeClock(startMs = 1_700_000_000_000): FakeClock {
  let nowMs = startMs
  const timers = new Set<Timer>()

  /** Removes the next due timer (of equals the one set first) and sets the time to it. */
  const takeDue = (untilMs: number): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers) if (!first || timer.atMs < first.atMs) first = timer
    if (!first || first.atMs > untilMs) return undefined
    timers.delete(first)
    nowMs = Math.max(nowMs, first.atMs)
    return first
  }

  return {
    now: () => nowMs,
    after(ms, run) {
      const timer = { atMs: nowMs + Math.max(0, ms), run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      const untilMs = nowMs + ms
      for (let due = takeDue(untilMs); due; due = takeDue(untilMs)) due.run()
      nowMs = untilMs
    },
    async advanceAsync(ms) {
      const untilMs = nowMs + ms
      await settle()
      for (let due = takeDue(untilMs); due; due = takeDue(untilMs)) {
        due.run()
        await settle()
      }
      nowMs = untilMs
    },
    get pending() {
      return timers.size
    },
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

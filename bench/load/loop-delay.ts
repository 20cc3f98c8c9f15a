/** The delay of an event loop, ms. One long stall shows in the maximum only. */
export interface LoopDelay {
  p99Ms: number
  maxMs: number
}

/** Node measures the delay by a timer of this interval, and counts the interval in. */
const timerMs = 10

/** Converts what Node measured. */
export const toLoopDelay = (p99Ms: number, maxMs: number): LoopDelay => ({
  p99Ms: Math.max(0, p99Ms - timerMs),
  maxMs: Math.max(0, maxMs - timerMs),
})

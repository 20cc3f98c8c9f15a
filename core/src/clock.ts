export const minuteMs = 60 * 1_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * The clock that all rules use. `now()` returns monotonic milliseconds since the Unix epoch; `after` runs a function
 * once, `ms` from now, and returns a function that cancels it.
 */
export interface Clock {
  now(): number
  after(ms: number, run: () => void): () => void
}

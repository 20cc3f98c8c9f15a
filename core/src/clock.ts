export const dayMs = 24 * 60 * 60 * 1_000

/**
 * The clock that all rules use. `now()` returns monotonic milliseconds since the Unix epoch; `after` runs a function
 * once, `ms` from now, and returns a function that cancels it.
 */
export interface Clock {
  now(): number
  after(ms: number, run: () => void): () => void
}

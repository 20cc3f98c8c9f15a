/**
 * The only way rules learn the time. `now()` is in milliseconds since the Unix epoch and never goes back;
 * `after` runs a function once, `ms` from now, and returns a function that cancels it.
 */
export interface Clock {
  now(): number
  after(ms: number, run: () => void): () => void
}

import { addProbe, type ClockState, serverTimeAt } from '../sync/clock/clock-offset.ts'

/** Probes of a clock over a path whose delays a test chooses. Times in ms. */

export interface Path {
  offsetMs: number
  upMs: number
  downMs: number
  /** Of the server's clock against the client's, counted from 0. */
  skewPpm?: number
}

/** Adds a probe sent at an instant of the client's clock; the server takes 1 ms to answer. */
export function probeAt(
  state: ClockState,
  sentAtMs: number,
  { offsetMs, upMs, downMs, skewPpm = 0 }: Path,
): ClockState {
  const serverAt = (clientMs: number): number => clientMs + offsetMs + clientMs * (skewPpm / 1e6)
  const returnedAtMs = sentAtMs + upMs + 1 + downMs
  return addProbe(state, {
    sentAtMs,
    serverReceivedAtMs: serverAt(sentAtMs + upMs),
    serverSentAtMs: serverAt(sentAtMs + upMs + 1),
    returnedAtMs,
  })
}

/** Adds probes 50 ms apart. */
export function burst(state: ClockState, fromMs: number, path: Path, count = 16): ClockState {
  let next = state
  for (let index = 0; index < count; index++) next = probeAt(next, fromMs + index * 50, path)
  return next
}

export const symmetric: Path = { offsetMs: 3_600_000, upMs: 20, downMs: 20 }
export const offsetAt = (state: ClockState, clientMs: number): number =>
  serverTimeAt(state, clientMs) - clientMs

import type { ClockSample } from './clock-offset.ts'

/** Round trips that differ by less are as quick as each other: timers and machines do as much. */
const quickWithinMs = 1
/** Older ones say where the clocks were: until their skew is known they drift apart unnoticed. */
const recentMs = 10_000

/**
 * The offset in ms at an instant of the client's clock on a path that is steady: most round trips are as quick as the
 * quickest, so they were held up nowhere, and the median of what the recent ones say is exact but for the path's
 * asymmetry. What is left of worse times, or comes from a moment of them, does not count. Null on a path that is not steady.
 */
export function steadyOffset(samples: readonly ClockSample[], skewPpm: number, nowMs: number): number | null {
  const quickestMs = Math.min(...samples.map(({ rttMs }) => rttMs))
  const quick = samples.filter(({ rttMs }) => rttMs - quickestMs < quickWithinMs)
  if (quick.length * 2 <= samples.length) return null
  const newestMs = Math.max(...quick.map(({ atClientMs }) => atClientMs))
  const recent = quick.filter(({ atClientMs }) => newestMs - atClientMs < recentMs)
  const offsets = recent.map(({ atClientMs, offsetMs }) => offsetMs + (nowMs - atClientMs) * (skewPpm / 1e6))
  const sorted = offsets.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

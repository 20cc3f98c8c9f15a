import type { ClockSample } from './clock-offset.ts'

/** What a sample bounds gets looser by this much as it ages: clocks drift apart, and their skew is a guess at first. */
const agingPerMs = 30e-6

/**
 * The offset in ms at an instant of the client's clock, by everything that the samples exclude. Whatever the delays
 * were, no message arrived before it was sent: each sample says that the offset lies within half its round trip, and
 * the truth is where all of them agree. So the fastest way there and the fastest way back count, also where they
 * belong to different round trips: on a path with jitter, one that was fast both ways is rare. Null where the samples
 * do not agree.
 * @param samples at least one
 */
export function boundOffset(samples: readonly ClockSample[], skewPpm: number, nowMs: number): number | null {
  let lowestMs = -Infinity
  let highestMs = Infinity
  for (const { atClientMs, offsetMs, rttMs } of samples) {
    const ageMs = nowMs - atClientMs
    const nowOffsetMs = offsetMs + ageMs * (skewPpm / 1e6)
    const reachMs = rttMs / 2 + ageMs * agingPerMs
    lowestMs = Math.max(lowestMs, nowOffsetMs - reachMs)
    highestMs = Math.min(highestMs, nowOffsetMs + reachMs)
  }
  return lowestMs > highestMs ? null : (lowestMs + highestMs) / 2
}

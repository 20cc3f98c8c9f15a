import { limits } from '@earshot/core/limits'
import type { ClockReading } from './audio-clock.ts'

/** What an audio context states about its output at one instant. */
export interface OutputStamp {
  /** Of `getOutputTimestamp`: the frame audible at `performanceTime`; s and ms. */
  contextTime: number
  performanceTime: number
  /** The end of what is rendered, s. */
  currentTime: number
  /** s; undefined where the browser has no such property. */
  outputLatency: number | undefined
  /** `performance.now()`, ms. */
  nowMs: number
}

/** A reading with `wallMs` relative to the page's time origin. */
export interface OutputReading extends ClockReading {
  /** Between rendering and hearing, ms, as far as the browser states it. */
  latencyMs: number
  /** Whether it has the granularity of `currentTime`. */
  isCoarse: boolean
}

/** A stamp may be this much ahead of the page's clock: both are rounded. */
const roundingMs = 5

/**
 * Reads which frame is audible when. Uses the output timestamp where it can be true, and otherwise `currentTime` and
 * `outputLatency`: Firefox 153 dates the newest rendered frame to the past, WebKitGTK 2.50 counts the time origin twice.
 * A latency above `limits.plausibleOutputLatencyMs` is ignored.
 */
export function readOutput(stamp: OutputStamp): OutputReading {
  const { contextTime, performanceTime, currentTime, nowMs } = stamp
  const latencyMs = (currentTime - contextTime) * 1_000
  if (latencyMs > limits.plausibleOutputLatencyMs) {
    return { contextMs: currentTime * 1_000, wallMs: nowMs, latencyMs, isCoarse: true }
  }
  if (isPossible(stamp)) {
    return { contextMs: contextTime * 1_000, wallMs: performanceTime, latencyMs, isCoarse: false }
  }
  const statedMs = (stamp.outputLatency ?? 0) * 1_000
  const usedMs = statedMs > limits.plausibleOutputLatencyMs ? 0 : statedMs
  return { contextMs: currentTime * 1_000 - usedMs, wallMs: nowMs, latencyMs: statedMs, isCoarse: true }
}

function isPossible({ contextTime, performanceTime, currentTime, nowMs }: OutputStamp): boolean {
  const ageMs = nowMs - performanceTime
  if (ageMs < -roundingMs || ageMs > limits.plausibleOutputLatencyMs) return false
  return !(contextTime >= currentTime && ageMs > 0)
}

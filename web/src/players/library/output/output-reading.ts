import { limits } from '@earshot/core/limits'
import type { ClockReading } from './clock-reading.ts'

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

export interface OutputReading {
  reading: ClockReading
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
 * A latency above `limits.plausibleOutputLatencyMs` is ignored. `timeOrigin` is that of `performance.now()`, ms.
 */
export function readOutput(stamp: OutputStamp, timeOrigin: number): OutputReading {
  const { contextTime, performanceTime, currentTime } = stamp
  const nowMs = timeOrigin + stamp.nowMs
  const currentMs = currentTime * 1_000
  const renderOffsetMs = nowMs - currentMs
  const coarse = (latencyMs: number): OutputReading => {
    const usedMs = latencyMs > limits.plausibleOutputLatencyMs ? 0 : latencyMs
    return {
      reading: { contextMs: currentMs - usedMs, wallMs: nowMs, renderOffsetMs },
      latencyMs,
      isCoarse: true,
    }
  }
  const latencyMs = (currentTime - contextTime) * 1_000
  if (latencyMs > limits.plausibleOutputLatencyMs) return coarse(latencyMs)
  if (!isPossible(stamp)) return coarse((stamp.outputLatency ?? 0) * 1_000)
  const wallMs = timeOrigin + performanceTime
  return { reading: { contextMs: contextTime * 1_000, wallMs, renderOffsetMs }, latencyMs, isCoarse: false }
}

function isPossible({ contextTime, performanceTime, currentTime, nowMs }: OutputStamp): boolean {
  const ageMs = nowMs - performanceTime
  if (ageMs < -roundingMs || ageMs > limits.plausibleOutputLatencyMs) return false
  return !(contextTime >= currentTime && ageMs > 0)
}

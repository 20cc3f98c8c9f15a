import { limits } from '@earshot/core/limits'
import { mean } from '@earshot/core/statistics'

/** The browser's readings of an audio context's clock: taken, and compared with each other. All in ms. */
export interface ClockReading {
  /** The context time that was audible at `wallMs`, after the browser's estimate of the output latency. */
  contextMs: number
  wallMs: number
  /** How far the context's own clock (`currentTime`) is behind the wall clock: coarse, but free of that estimate. */
  renderOffsetMs: number
}

/** An audio context's own figures about its output at one instant. */
interface OutputStamp {
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

interface OutputReading {
  reading: ClockReading
  /** Between rendering and hearing, ms; null where the browser does not state it, as WebKitGTK 2.50, which says 0. */
  latencyMs: number | null
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
  const coarse = (latencyMs: number | null): OutputReading => {
    const usedMs = latencyMs === null || latencyMs > limits.plausibleOutputLatencyMs ? 0 : latencyMs
    return {
      reading: { contextMs: currentMs - usedMs, wallMs: nowMs, renderOffsetMs },
      latencyMs,
      isCoarse: true,
    }
  }
  const latencyMs = (currentTime - contextTime) * 1_000
  if (latencyMs > limits.plausibleOutputLatencyMs) return coarse(latencyMs)
  if (!isPossible(stamp)) return coarse(stamp.outputLatency ? stamp.outputLatency * 1_000 : null)
  const wallMs = timeOrigin + performanceTime
  return { reading: { contextMs: contextTime * 1_000, wallMs, renderOffsetMs }, latencyMs, isCoarse: false }
}

function isPossible({ contextTime, performanceTime, currentTime, nowMs }: OutputStamp): boolean {
  const ageMs = nowMs - performanceTime
  if (ageMs < -roundingMs || ageMs > limits.plausibleOutputLatencyMs) return false
  return !(contextTime >= currentTime && ageMs > 0)
}

/** Readings of this span are kept. */
export const recentSpanMs = 1_000
const rampSpanMs = 500
/** A ramp over a shorter span would be jitter. */
const rampMinSpanMs = 200
/** The context's own clock jumps by a device buffer, so it is averaged over some of them. */
const renderSpanMs = 250
/** Larger differences between two readings are jumps, not jitter or drift. */
const jumpMs = 0.8
/** Upper bound of the drift of readings, ms per ms. */
export const maxReadingDrift = 0.015

export const offsetOf = ({ contextMs, wallMs }: ClockReading): number => wallMs - contextMs

/** Returns the mean offset of the context's own clock over the last readings, not before `sinceMs`. */
export function meanRenderOffset(latest: readonly ClockReading[], sinceMs: number): number {
  const from = Math.max(sinceMs, (latest.at(-1)?.contextMs ?? 0) - renderSpanMs)
  return mean(latest.filter(({ contextMs }) => contextMs >= from).map((reading) => reading.renderOffsetMs))
}

/** The drift of the last readings since they jumped, ms per ms, by linear regression; 0 over too short a span. */
export function measureRamp(latest: readonly ClockReading[]): { slope: number; spanMs: number } {
  const since = (latest.at(-1)?.contextMs ?? 0) - rampSpanMs
  const recent = latest.filter(({ contextMs }) => contextMs >= since)
  const run = recent.slice(Math.max(0, recent.findLastIndex(isJump)))
  const [first, last] = [run.at(0), run.at(-1)]
  const spanMs = first && last ? last.contextMs - first.contextMs : 0
  if (spanMs < rampMinSpanMs) return { slope: 0, spanMs }
  const [atMs, offsetMs] = [mean(run.map(({ contextMs }) => contextMs)), mean(run.map(offsetOf))]
  const covariance = mean(run.map((reading) => (reading.contextMs - atMs) * (offsetOf(reading) - offsetMs)))
  const variance = mean(run.map(({ contextMs }) => (contextMs - atMs) ** 2))
  return { slope: covariance / variance, spanMs }
}

function isJump(reading: ClockReading, index: number, all: readonly ClockReading[]): boolean {
  const before = all[index - 1]
  if (!before) return false
  const limitMs = jumpMs + maxReadingDrift * (reading.contextMs - before.contextMs)
  return Math.abs(offsetOf(reading) - offsetOf(before)) > limitMs
}

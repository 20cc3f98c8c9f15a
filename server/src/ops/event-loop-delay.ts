import { monitorEventLoopDelay } from 'node:perf_hooks'

/** A sample is the time between two timers, so it includes this much. */
const resolutionMs = 20

/**
 * Watches the event loop. Returns a function that reads the 99th percentile of its delay in ms since the start or the
 * last reading.
 */
export function watchEventLoop(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  return () => {
    const delayMs = Math.max(0, histogram.percentile(99) / 1e6 - resolutionMs)
    histogram.reset()
    return delayMs
  }
}

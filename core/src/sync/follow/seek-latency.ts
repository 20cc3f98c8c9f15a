/** How long a device takes from being told until it sounds, by whether it stood or played. Kept a device and source. */
export interface Latencies {
  start: Latency
  seek: Latency
}

export interface Latency {
  /** Null before the first measurement. */
  meanMs: number | null
  count: number
}

export const initialLatencies: Latencies = {
  start: { meanMs: null, count: 0 },
  seek: { meanMs: null, count: 0 },
}

/** Later measurements count at least this share, so that the mean follows a device that changes. */
const minShare = 0.25
/** One measurement may at most double the latency, or add this much: a slow network is not the device. */
const maxGrowthMs = 300
/** A device without any latency measures to a little less than nothing. */
const toleranceMs = 30

/**
 * Takes a measurement into the moving average. `expectedMs` is what was reckoned with. A negative one is none: the
 * player is off for another reason, such as a clock that was only just set right.
 */
export function updateLatency(latency: Latency, measuredMs: number, expectedMs: number): Latency {
  if (measuredMs < -toleranceMs) return latency
  const boundedMs = Math.max(0, Math.min(measuredMs, Math.max(2 * expectedMs, expectedMs + maxGrowthMs)))
  const count = latency.count + 1
  const meanMs = latency.meanMs ?? boundedMs
  return { meanMs: meanMs + Math.max(minShare, 1 / count) * (boundedMs - meanMs), count }
}

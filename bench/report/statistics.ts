/** What a set of samples says. All in the unit of the samples. */
export interface Summary {
  count: number
  mean: number
  p50: number
  p95: number
  p99: number
  max: number
}

/** Summarises samples in any order. @throws RangeError where there are none: a figure of nothing is a lie */
export function summarise(samples: Iterable<number>): Summary {
  const sorted = Float64Array.from(samples).sort()
  if (sorted.length === 0) throw new RangeError('There are no samples to summarise')
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, sample) => sum + sample, 0) / sorted.length,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: percentile(sorted, 100),
  }
}

/**
 * The smallest sample that at least `percent` of the samples do not exceed (the nearest-rank method): always one that
 * was measured, never one between two.
 */
export function percentile(sorted: Float64Array, percent: number): number {
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length))
  const sample = sorted[rank - 1]
  if (sample === undefined || percent < 0)
    throw new RangeError(`No sample has ${percent} % of ${sorted.length}`)
  return sample
}

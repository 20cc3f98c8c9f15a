import { percentile } from '@earshot/core/statistics'

/** Summary statistics, in the unit of the samples. */
export interface Summary {
  count: number
  mean: number
  p50: number
  p95: number
  p99: number
  max: number
}

/** Summarises samples in any order. @throws RangeError without samples */
export function summarise(samples: Iterable<number>): Summary {
  const sorted = [...samples].toSorted((a, b) => a - b)
  const worst = sorted.at(-1)
  if (worst === undefined) throw new RangeError('There are no samples to summarise')
  const atShare = (share: number): number => percentile(sorted, share) ?? worst
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, sample) => sum + sample, 0) / sorted.length,
    p50: atShare(0.5),
    p95: atShare(0.95),
    p99: atShare(0.99),
    max: worst,
  }
}

import type { Figure } from '../measurement.ts'
import { summarise, type Summary } from '../report/statistics.ts'
import { describePairs, type HeardPair } from '../listening/all-pairs.ts'

/** What was heard so far, by occasion. */
export type Tally = Map<string, HeardPair[]>

/** Takes what was heard into a tally, and says it. */
export function note(tally: Tally, occasion: string, pairs: HeardPair[], say: (line: string) => void): void {
  tally.set(occasion, [...(tally.get(occasion) ?? []), ...pairs])
  say(`${occasion}, ms: ${describePairs(pairs)}`)
}

export const allPairs = (tally: Tally): HeardPair[] => [...tally.values()].flat()

/** How large the skews were, whoever was ahead. @throws RangeError where nothing could be compared */
export function summariseSkews(pairs: HeardPair[]): Summary {
  return summarise(pairs.flatMap(({ skew }) => (skew ? [Math.abs(skew.medianMs)] : [])))
}

/** How many comparisons came to nothing, because one of the two was torn. */
export const countTorn = (pairs: HeardPair[]): number => pairs.filter(({ skew }) => skew === null).length

/** How much of the recorded time two were further apart than `withinMs`, or one of them torn, in per cent. */
export function shareApart(pairs: HeardPair[], withinMs: number): number {
  const parts = pairs.flatMap(({ skew }) => skew?.partsMs ?? [null])
  const apart = parts.filter((lagMs) => lagMs === null || Math.abs(lagMs) > withinMs)
  return (apart.length / parts.length) * 100
}

/** p50, p95 and the worst, named after what they are of. */
export function skewFigures(
  name: string,
  ours: Summary,
  options: { floor?: Summary; goal?: number },
): Figure[] {
  const { floor, goal } = options
  const beside = (value: number | undefined) => (value === undefined ? {} : { yardstick: value })
  return [
    { name: `${name} p50`, unit: 'ms', value: ours.p50, ...beside(floor?.p50) },
    {
      name: `${name} p95`,
      unit: 'ms',
      value: ours.p95,
      ...beside(floor?.p95),
      ...(goal === undefined ? {} : { goal }),
    },
    { name: `${name} max`, unit: 'ms', value: ours.max, ...beside(floor?.max) },
  ]
}

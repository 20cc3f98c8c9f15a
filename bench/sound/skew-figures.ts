import type { Figure, Log } from '../measurement.ts'
import { summarise, type Summary } from '../report/statistics.ts'
import { describePairs, type PairSkew } from './recording.ts'

/** The skews of a measurement, by condition. */
export type SkewsByCondition = Map<string, PairSkew[]>

/** Adds the skews of a recording and logs them. */
export function addSkews(skews: SkewsByCondition, condition: string, pairs: PairSkew[], log: Log): void {
  skews.set(condition, [...(skews.get(condition) ?? []), ...pairs])
  log(`${condition}, ms: ${describePairs(pairs)}`)
}

export const allPairs = (skews: SkewsByCondition): PairSkew[] => [...skews.values()].flat()

/** Summarises the absolute skews. @throws RangeError where no pair could be compared */
export function summariseSkews(pairs: PairSkew[]): Summary {
  return summarise(pairs.flatMap(({ skew }) => (skew ? [Math.abs(skew.medianMs)] : [])))
}

/** Counts the pairs that a dropout made incomparable. */
export const countTorn = (pairs: PairSkew[]): number => pairs.filter(({ skew }) => skew === null).length

/** Returns the share of the recorded time with a skew above `withinMs` or a dropout, in per cent. */
export function shareApart(pairs: PairSkew[], withinMs: number): number {
  const parts = pairs.flatMap(({ skew }) => skew?.partsMs ?? [null])
  const apart = parts.filter((lagMs) => lagMs === null || Math.abs(lagMs) > withinMs)
  return (apart.length / parts.length) * 100
}

/** Makes the figures p50, p95 and max, each name beginning with `name`. */
export function skewFigures(
  name: string,
  ours: Summary,
  options: { bestCase?: Summary; goal?: number },
): Figure[] {
  const { bestCase, goal } = options
  const beside = (value: number | undefined) => (value === undefined ? {} : { baseline: value })
  return [
    { name: `${name} p50`, unit: 'ms', value: ours.p50, ...beside(bestCase?.p50) },
    {
      name: `${name} p95`,
      unit: 'ms',
      value: ours.p95,
      ...beside(bestCase?.p95),
      ...(goal === undefined ? {} : { goal }),
    },
    { name: `${name} max`, unit: 'ms', value: ours.max, ...beside(bestCase?.max) },
  ]
}

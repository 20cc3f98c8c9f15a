import { inSyncSince, skewOverTime, type SkewWindow } from '@earshot/e2e/sound/skew-over-time'
import { setTimeout as delay } from 'node:timers/promises'
import { UnlikeSoundsError, judgeSkew, recordAll, type MeasuredSkew } from '../sound/recording.ts'
import type { Gathering } from '../sound/test-room.ts'

/** What was heard of two people in one stretch of time. */
export interface HeardPair {
  /** Their places: 0 is the owner. */
  between: [number, number]
  /** Null where one of the two was torn, so that nothing can be said of it. */
  skew: MeasuredSkew | null
}

const pairsOf = (people: number): [number, number][] =>
  Array.from({ length: people }, (_, second) =>
    Array.from({ length: second }, (_unused, first): [number, number] => [first, second]),
  ).flat()

/** Compares everybody with everybody, in what they sound from now on. */
export async function hearAll({ sound, listeners }: Gathering, ms: number): Promise<HeardPair[]> {
  return judgeAll(await recordAll(sound, listeners.length + 1, () => delay(ms)))
}

/** Compares everybody with everybody. */
export function judgeAll(recordings: Float32Array[]): HeardPair[] {
  return pairsOf(recordings.length).map((between) => {
    const [first, second] = between.map((person) => recordings[person] ?? new Float32Array())
    return { between, skew: first && second ? judgeOrNull(first, second) : null }
  })
}

function judgeOrNull(owner: Float32Array, listener: Float32Array): MeasuredSkew | null {
  try {
    return judgeSkew({ owner, listener })
  } catch (error) {
    if (error instanceof UnlikeSoundsError) return null
    throw error
  }
}

/** The skews of all pairs in one line, as they are said while measuring. */
export function describePairs(pairs: HeardPair[]): string {
  return pairs.map(({ skew }) => (skew ? skew.medianMs.toFixed(2) : 'torn')).join(', ')
}

/**
 * From when on somebody is within `withinMs` of the room for good, ms; null where they are not at the end. A stretch in
 * which one of the others was torn is judged by another of them.
 */
export function joinedSince(joiner: Float32Array, others: Float32Array[], withinMs: number): number | null {
  const [first = [], ...rest] = others.map((other) => skewOverTime(other, joiner))
  const judged = first.map(
    (window, index): SkewWindow =>
      [window, ...rest.flatMap((windows) => windows[index] ?? [])].find(({ lagMs }) => lagMs !== null) ??
      window,
  )
  return inSyncSince(judged, withinMs)
}

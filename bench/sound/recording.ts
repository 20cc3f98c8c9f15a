import { loudness, takeListener } from '@earshot/e2e/sound/recording'
import type { SoundServer } from '@earshot/e2e/sound/sound-server'
import { measureSkew } from '@earshot/e2e/sound/skew'
import { skewOverTime, inSyncSince, type SkewWindow } from '@earshot/e2e/sound/skew-over-time'
import { summarise } from '../report/statistics.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestRoom } from '../sound/test-room.ts'

/** What two people sounded in the same stretch of time, sample by sample. */
export interface Pair {
  owner: Float32Array
  listener: Float32Array
}

/** The skew of a stretch of time: how much later the listener sounds than the owner, ms. */
export interface MeasuredSkew {
  /** Of the stretch as a whole: the median of its parts. */
  medianMs: number
  /** Of each twentieth of a second; null where one of the two was torn. */
  partsMs: (number | null)[]
}

/** The share of a recording in which both must sound the same. */
const minShare = 0.8

/** Two sounded different things, or one of them nothing: that is no skew, however small. */
export class DifferentSoundsError extends Error {}

/** Records everybody while `work` runs: what each sounded, in the order of their devices. */
export async function recordAll(
  sound: SoundServer,
  people: number,
  work: () => Promise<unknown>,
): Promise<Float32Array[]> {
  const stop = await sound.record()
  await work()
  const recording = await stop()
  return Array.from({ length: people }, (_, person) => takeListener(recording, person, people))
}

/** Compares what two sounded. @throws DifferentSoundsError where one of them is silent or they do not sound the same */
export function compareSounds(pair: Pair): MeasuredSkew {
  const whole = measureSkew(pair.owner, pair.listener)
  const windows = skewOverTime(pair.owner, pair.listener, { aroundMs: whole.lagMs })
  const partsMs = windows.map((window) => window.lagMs)
  const known = partsMs.filter((lagMs) => lagMs !== null)
  if (known.length === 0 || known.length < partsMs.length * minShare) {
    const [owner, listener] = [loudness(pair.owner), loudness(pair.listener)].map((level) => level.toFixed(4))
    throw new DifferentSoundsError(
      `The two did not sound the same: ${known.length} of ${partsMs.length} parts match, with a skew of ` +
        `${whole.lagMs.toFixed(1)} ms; loudness ${owner} and ${listener}`,
    )
  }
  return { medianMs: summarise(known).p50, partsMs }
}

/** What was heard of two people in one stretch of time. */
export interface PairSkew {
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
export async function recordPairs({ sound, listeners }: TestRoom, ms: number): Promise<PairSkew[]> {
  return comparePairs(await recordAll(sound, listeners.length + 1, () => delay(ms)))
}

/** Compares everybody with everybody. */
export function comparePairs(recordings: Float32Array[]): PairSkew[] {
  return pairsOf(recordings.length).map((between) => {
    const [first, second] = between.map((person) => recordings[person] ?? new Float32Array())
    return { between, skew: first && second ? compareOrNull(first, second) : null }
  })
}

function compareOrNull(owner: Float32Array, listener: Float32Array): MeasuredSkew | null {
  try {
    return compareSounds({ owner, listener })
  } catch (error) {
    if (error instanceof DifferentSoundsError) return null
    throw error
  }
}

/** The skews of all pairs in one line, as they are said while measuring. */
export function describePairs(pairs: PairSkew[]): string {
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

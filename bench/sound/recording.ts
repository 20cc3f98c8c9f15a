import { loudness, takeListener } from '@earshot/e2e/sound/recording'
import type { SoundServer } from '@earshot/e2e/sound/sound-server'
import { measureSkew } from '@earshot/e2e/sound/skew'
import { skewOverTime, inSyncSince, type SkewWindow } from '@earshot/e2e/sound/skew-over-time'
import { summarise } from '../report/statistics.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestRoom } from '../sound/test-room.ts'

/** The sound of two browsers over the same time, sample by sample. */
export interface Pair {
  owner: Float32Array
  listener: Float32Array
}

/** The skew over a recording: how much later the listener sounds than the owner, ms. */
export interface MeasuredSkew {
  /** Of the stretch as a whole: the median of its parts. */
  medianMs: number
  /** Of each twentieth of a second; null where one of the two was torn. */
  partsMs: (number | null)[]
}

/** The share of a recording in which both must sound the same. */
const minShare = 0.8

/** The two sounds differ, or one is silent: there is no skew to measure. */
export class DifferentSoundsError extends Error {}

/** Records all browsers while `work` runs. Resolves to their sounds in the order of the devices. */
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

/** Measures the skew of two sounds. @throws DifferentSoundsError where one is silent or the two differ */
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

/** The skew of two browsers in one recording. */
export interface PairSkew {
  /** Indexes of the browsers: 0 is the owner's. */
  between: [number, number]
  /** Null where a dropout in one of the two prevents a comparison. */
  skew: MeasuredSkew | null
}

const pairsOf = (people: number): [number, number][] =>
  Array.from({ length: people }, (_, second) =>
    Array.from({ length: second }, (_unused, first): [number, number] => [first, second]),
  ).flat()

/** Records all browsers for `ms` and compares every pair. */
export async function recordPairs({ sound, listeners }: TestRoom, ms: number): Promise<PairSkew[]> {
  return comparePairs(await recordAll(sound, listeners.length + 1, () => delay(ms)))
}

/** Compares every pair of recordings. */
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

/** Formats the skews of all pairs for the progress log. */
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

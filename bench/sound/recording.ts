import { loudness, takeListener } from '@earshot/e2e/sound/recording'
import type { SoundServer } from '@earshot/e2e/sound/sound-server'
import { measureSkew } from '@earshot/e2e/sound/skew'
import { skewOverTime } from '@earshot/e2e/sound/skew-over-time'
import { summarise } from '../report/statistics.ts'

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
export class UnlikeSoundsError extends Error {}

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

/** Compares what two sounded. @throws UnlikeSoundsError where one of them is silent or they do not sound the same */
export function judgeSkew(pair: Pair): MeasuredSkew {
  const whole = measureSkew(pair.owner, pair.listener)
  const windows = skewOverTime(pair.owner, pair.listener, { aroundMs: whole.lagMs })
  const partsMs = windows.map((window) => window.lagMs)
  const known = partsMs.filter((lagMs) => lagMs !== null)
  if (known.length === 0 || known.length < partsMs.length * minShare) {
    const [owner, listener] = [loudness(pair.owner), loudness(pair.listener)].map((level) => level.toFixed(4))
    throw new UnlikeSoundsError(
      `The two did not sound the same: ${known.length} of ${partsMs.length} parts match, with a skew of ` +
        `${whole.lagMs.toFixed(1)} ms; loudness ${owner} and ${listener}`,
    )
  }
  return { medianMs: summarise(known).p50, partsMs }
}

import type { Clock } from '@earshot/core/clock'
import { BoundedMap } from '../bounded-map.ts'

/** Results that those share who ask for the same key within a time. */
export interface SharedReads<Result> {
  /** Returns the result of the latest `run` of the key, where that began within the time, otherwise runs `run`. */
  read(key: string, run: () => Promise<Result>): Promise<Result>
  /** Makes all keys run anew. */
  forget(): void
}

interface SharedReadsOptions<Result> {
  clock: Clock
  /** For how long a result is shared, from the beginning of its run. */
  ms: number
  /** Keys kept at a time; a further one takes the place of the oldest. */
  max: number
  /** Whether a result is shared with those who ask after it has come. By default all are, but errors never. */
  isKept?: (result: Result) => boolean
}

export function createSharedReads<Result>(options: SharedReadsOptions<Result>): SharedReads<Result> {
  const { clock, ms, isKept = () => true } = options
  const kept = new BoundedMap<string, { atMs: number; result: Promise<Result> }>(options.max)

  return {
    read(key, run) {
      const nowMs = clock.now()
      const known = kept.get(key)
      // The clock may have been set back.
      if (known && Math.abs(nowMs - known.atMs) < ms) return known.result
      const entry = { atMs: nowMs, result: run() }
      kept.set(key, entry)
      const drop = (): void => {
        if (kept.get(key) === entry) kept.delete(key)
      }
      entry.result.then((result) => {
        if (!isKept(result)) drop()
      }, drop)
      return entry.result
    },
    forget: () => kept.clear(),
  }
}

import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'

/** When queued tracks start and how long a queue lasts, as far as durations are known. */

export interface QueueTimes {
  /** By index: how long after the current track's end the entry starts, in ms; null after an unknown duration. */
  startsAfterMs: (number | null)[]
  /** The sum of all known durations, in ms. */
  totalMs: number
  /** Whether all durations are known. */
  isExact: boolean
}

export function timeQueue(
  entries: readonly Pick<Track, 'duration' | 'duration_unknown' | 'source'>[],
): QueueTimes {
  const startsAfterMs: (number | null)[] = []
  let totalMs = 0
  let isExact = true
  for (const entry of entries) {
    startsAfterMs.push(isExact ? totalMs : null)
    const durationMs = knownDurationMs(entry)
    if (durationMs === null) isExact = false
    totalMs += durationMs ?? 0
  }
  return { startsAfterMs, totalMs, isExact }
}

import { limits } from '../limits.ts'
import type { Source } from '../protocol/entities.ts'
import { percentile } from '../statistics.ts'

/** What the members of a room have told of themselves, as far as it decides how early they must know of a start. */
export interface Audience {
  roundTripsMs: number[]
  /** Somebody hears the library through an audio element, which cannot schedule and needs longer. */
  hasElement: boolean
}

/**
 * How far ahead of now a start is scheduled, in ms, so that it reaches all listeners before it is due: 1.5 times the
 * 95th percentile of their round trips, plus what the source's player needs to start, within fixed bounds (4.11a).
 */
export function leadMs({ roundTripsMs, hasElement }: Audience, source: Source | null): number {
  const wantedMs =
    limits.leadRttFactor * (percentile(roundTripsMs, 0.95) ?? 0) + startCostMs(source, hasElement)
  return Math.round(Math.min(limits.leadMaxMs, Math.max(limits.leadMinMs, wantedMs)))
}

function startCostMs(source: Source | null, hasElement: boolean): number {
  const isLibrary = source === null || source === 'library'
  return limits.startCostMs[isLibrary && hasElement ? 'libraryElement' : (source ?? 'library')]
}

import { limits } from '../limits.ts'
import { median, percentile } from '../statistics.ts'
import type { Timeline } from './timeline.ts'

/** The facts about a room's members that determine when a start is. */
export interface Audience {
  roundTripsMs: number[]
  /** A member plays the library through an audio element, which cannot schedule and needs longer. */
  hasElement: boolean
  /** So many members are loading the current track that a cue would wait for them (4.13b). */
  isLoading: boolean
}

/** What is about to start. */
interface StartingRoom {
  timeline: Timeline
  /** Something has been heard in the room before. */
  hasPlayed: boolean
}

/**
 * Returns the lead of a scheduled start in ms, so that it reaches all listeners in time: 1.5 times their effective round
 * trip, plus the start cost of the source's player, within fixed bounds (4.11a). Before the first sound of a room and after a
 * long pause it includes the time in which audio outputs start. A cued Spotify track is loaded by then and starts sooner.
 */
export function leadMs(
  { roundTripsMs, hasElement }: Omit<Audience, 'isLoading'>,
  { timeline, hasPlayed }: StartingRoom,
  nowMs: number,
): number {
  const rttMs = effectiveRttMs(roundTripsMs)
  const isPausedLong = !timeline.isPlaying && nowMs - timeline.atServerMs >= limits.outputRestAfterMs
  const isResting = isPausedLong || !hasPlayed
  const resumeMs = isResting ? limits.outputResumeMs : 0
  const wantedMs = limits.leadRttFactor * rttMs + startCostMs(timeline, hasElement) + resumeMs
  return Math.round(Math.min(limits.leadMaxMs, Math.max(limits.leadMinMs, wantedMs)))
}

/**
 * Returns the round trip that a room waits for: the 95th percentile, which is the slowest of up to 19 members.
 * Members report it themselves, so what exceeds both `leadTrustedRttMs` and three times the median counts as the
 * larger of these.
 */
export function effectiveRttMs(roundTripsMs: readonly number[]): number {
  const rttMs = percentile(roundTripsMs, 0.95) ?? 0
  if (rttMs <= limits.leadTrustedRttMs) return rttMs
  return Math.min(rttMs, Math.max(limits.leadTrustedRttMs, limits.leadMedianFactor * median(roundTripsMs)))
}

function startCostMs({ source, isCueing }: Timeline, hasElement: boolean): number {
  if (source === 'spotify' && isCueing) return limits.cuedSpotifyStartCostMs
  const isLibrary = source === null || source === 'library'
  return limits.startCostMs[isLibrary && hasElement ? 'libraryElement' : (source ?? 'library')]
}

import type { ClockState } from '@earshot/core/sync/clock/clock-offset'
import { roomPositionAt, type Timeline } from '@earshot/core/sync/timeline'
import { wallNow } from '../../realtime/server-clock.ts'

/** How long after a track is loaded a joining listener sounds, about. */
const joinMs = 500
/** A position further from where the track is loaded is fetched instead of it. */
const elsewhereMs = 5_000

/**
 * Returns the position (ms) to fetch for a track that is loaded at `positionMs`. Who joins is loaded at 0 (4.19c) but never
 * sounds there.
 */
export function playsFrom(
  { positionMs }: { positionMs: number },
  timeline: Timeline,
  clock: ClockState,
): number {
  const soonMs = roomPositionAt(timeline, clock, wallNow() + joinMs)
  return soonMs > positionMs + elsewhereMs ? soonMs : positionMs
}

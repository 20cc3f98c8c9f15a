import { limits } from '../limits.ts'
import type { Track } from '../protocol/entities.ts'

/**
 * What is known of a track's duration, in ms: 0 for nothing. The sentinel stands for nothing, except in the library,
 * whose files are measured and may well last exactly three minutes.
 */
export function knownDurationMs(track: Pick<Track, 'duration' | 'source'> | null): number {
  if (!track) return 0
  const isSentinel = track.duration === limits.unknownDurationMs && track.source !== 'library'
  return isSentinel ? 0 : track.duration
}

/** Whether a duration that a player reports replaces the stored one (both ms): it is far off, or was unknown. */
export function isDurationCorrection(storedMs: number, reportedMs: number): boolean {
  if (!Number.isFinite(reportedMs) || reportedMs <= 0) return false
  if (storedMs <= 0 || storedMs === limits.unknownDurationMs) return reportedMs !== storedMs
  return Math.abs(reportedMs - storedMs) > limits.durationCorrectionMs
}

import { limits } from '../limits.ts'
import type { Track } from '../protocol/entities.ts'

/**
 * Returns a track's duration in ms, or 0 if unknown. The sentinel means unknown, except for library files, which are
 * measured and may last exactly three minutes.
 */
export function knownDurationMs(track: Pick<Track, 'duration' | 'source'> | null): number {
  if (!track) return 0
  const isSentinel = track.duration === limits.unknownDurationMs && track.source !== 'library'
  return isSentinel ? 0 : track.duration
}

/** Whether a reported duration replaces the stored one (both ms): it differs enough, or the stored one is unknown. */
export function isDurationCorrection(storedMs: number, reportedMs: number): boolean {
  if (!Number.isFinite(reportedMs) || reportedMs <= 0) return false
  if (storedMs <= 0 || storedMs === limits.unknownDurationMs) return reportedMs !== storedMs
  return Math.abs(reportedMs - storedMs) > limits.durationCorrectionMs
}

import { limits } from '../limits.ts'
import type { Track } from '../protocol/entities.ts'

/**
 * Returns a track's duration in ms, or null if unknown. On the wire 180000 ms means unknown (9.15), unless
 * `duration_unknown` states otherwise; without it, library files count as measured.
 */
export function knownDurationMs(
  track: Pick<Track, 'duration' | 'duration_unknown' | 'source'> | null,
): number | null {
  if (!track || track.duration <= 0) return null
  const isSentinel = track.duration === limits.unknownDurationMs
  const isUnknown = isSentinel && (track.duration_unknown ?? track.source !== 'library')
  return isUnknown ? null : track.duration
}

/** Returns the wire fields of a duration in ms; null is unknown. */
export function toDurationFields(durationMs: number | null): Pick<Track, 'duration' | 'duration_unknown'> {
  const duration = durationMs ?? limits.unknownDurationMs
  const isAmbiguous = duration === limits.unknownDurationMs
  return { duration, duration_unknown: isAmbiguous ? durationMs === null : undefined }
}

/** Whether a reported duration replaces the stored one (both ms): it differs enough, or the stored one is unknown. */
export function isDurationCorrection(storedMs: number | null, reportedMs: number): boolean {
  if (!Number.isFinite(reportedMs) || reportedMs <= 0) return false
  return storedMs === null || Math.abs(reportedMs - storedMs) > limits.durationCorrectionMs
}

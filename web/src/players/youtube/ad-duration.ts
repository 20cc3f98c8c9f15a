import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'

/** Few advertisements last longer; a longer one is corrected as soon as the video plays. */
const adMaxMs = 60_000

/**
 * Whether a duration that the player states may be that of an advertisement, which no event tells from the video: it is
 * shorter than the known one, or as short as an advertisement where none is known.
 */
export function mayBeOfAd(durationMs: number, track: Track | null): boolean {
  const knownMs = knownDurationMs(track)
  return durationMs < (knownMs === null ? adMaxMs : knownMs - limits.durationCorrectionMs)
}

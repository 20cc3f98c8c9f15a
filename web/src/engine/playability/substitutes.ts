import type { Track } from '@earshot/core/protocol/entities'
import type { TrackMatch } from '@earshot/core/protocol/providers'
import type { Timeline } from '@earshot/core/sync/timeline'

/**
 * The same song from another source, for a listener who cannot play the room's track, as pure functions. The room's
 * timeline applies to it too; the others in the room are not affected.
 */

/** What this listener hears instead, by the id of the room's track; remembered for the visit. */
export type Substitutes = Readonly<Record<string, Track>>

/** Returns the best match that this listener can play; null without one. Spotify's terms allow no such use of it. */
export function pickSubstitute(
  matches: readonly TrackMatch[],
  canPlay: (track: Track) => boolean,
): TrackMatch | null {
  const usable = matches.filter(
    ({ track }) => track.source !== 'spotify' && !track.restriction && canPlay(track),
  )
  return usable.toSorted((a, b) => b.confidence - a.confidence)[0] ?? null
}

/** Returns the track that is heard for a track of the room. */
export function heardTrack<Some extends Track>(
  substitutes: Substitutes,
  track: Some | null,
): Track | Some | null {
  return track && (substitutes[track.id] ?? track)
}

interface Followed {
  timeline: Timeline
  track: Track | null
  nextTrack: Track | null
}

/** Returns the room with its tracks replaced by what is heard; position and times stay the room's. */
export function withSubstitutes(
  { timeline, track, nextTrack }: Followed,
  substitutes: Substitutes,
): Followed {
  const substitute = timeline.trackId === null ? undefined : substitutes[timeline.trackId]
  const next = heardTrack(substitutes, nextTrack)
  if (!substitute) return { timeline, track, nextTrack: next }
  const heard = { ...timeline, trackId: substitute.id, source: substitute.source }
  return { timeline: heard, track: substitute, nextTrack: next }
}

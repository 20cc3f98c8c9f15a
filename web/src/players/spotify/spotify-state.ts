/// <reference types="spotify-web-playback-sdk" />
import type { Track } from '@earshot/core/protocol/entities'
import { providerIdOf } from '@earshot/core/protocol/providers'
import { knownDurationMs } from '@earshot/core/sync/duration'

/** A state of Spotify's player, interpreted for the track that was started. */
export type StateMeaning =
  /** It plays, and what it plays is loaded. */
  | 'running'
  | 'buffering'
  | 'stopped'
  | 'ended'
  /** Spotify plays something else. */
  | 'other_track'

/** Recordings of one song whose durations differ by less are the same one in two countries. */
const sameDurationMs = 2_000

/** A track that stops at 0:00, or gives way to another one, this close to its end has ended. */
const endWithinMs = 3_000

/**
 * Interprets a state of Spotify's player.
 * @param playedUri what Spotify is known to play for the track: in some countries another recording of it
 * @param lastMs the track's position before this state
 */
export function interpretState(
  state: Spotify.PlaybackState,
  { track, playedUri, lastMs }: { track: Track; playedUri: string | null; lastMs: number },
): StateMeaning {
  const durationMs = knownDurationMs(track)
  const isAtEnd = durationMs !== null && durationMs - lastMs < endWithinMs
  const played = playedTrack(state)
  const isMeant =
    played === null ||
    [spotifyUriOf(track), playedUri].some(
      (uri) => uri !== null && (uri === played.uri || uri === played.linked_from?.uri),
    ) ||
    (playedUri === null && isSameSong(track, played, state))
  if (!isMeant) return isAtEnd ? 'ended' : 'other_track'
  if (state.paused) return isAtEnd && state.position === 0 ? 'ended' : 'stopped'
  return state.loading ? 'buffering' : 'running'
}

/** Whether a track under another address, which names no origin, is what was asked for. */
function isSameSong(track: Track, played: Partial<Spotify.Track>, state: Spotify.PlaybackState): boolean {
  const durationMs = knownDurationMs(track)
  const isAsLong = durationMs !== null && Math.abs(state.duration - durationMs) < sameDurationMs
  return isAsLong && played.name === track.title
}

/** Returns the position of a state, ms; `lastMs` where it has none. */
export const positionOf = ({ position }: Spotify.PlaybackState, lastMs: number): number =>
  Number.isFinite(position) ? position : lastMs

/** Returns the track of a state. Contrary to the SDK's types it may be missing, as may most of its fields. */
export function playedTrack(
  state: Spotify.PlaybackState,
): (Pick<Spotify.Track, 'uri'> & Partial<Spotify.Track>) | null {
  const { track_window: window } = state as Partial<Spotify.PlaybackState>
  return window?.current_track ?? null
}

/** Returns a track's address at Spotify. */
export const spotifyUriOf = (track: Track): string => track.uri ?? `spotify:track:${providerIdOf(track)}`

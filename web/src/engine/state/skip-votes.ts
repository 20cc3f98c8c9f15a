import type { Room, Track } from '@earshot/core/protocol/entities'
import type { SkipVotes } from '@earshot/core/protocol/skip-votes'

/** The votes to skip the current track, as the server last counted them. */
export interface KnownVotes extends SkipVotes {
  /** Whether this listener has voted. */
  isOwn: boolean
}

interface Voting {
  skipVotes: KnownVotes | null
}

/** Stores new counts. Those for all members leave open whether this listener has voted; those of an earlier turn are stale. */
export function applySkipVotes<State extends Voting>(
  state: State,
  { trackId, turn, votes, needed, isOwn }: SkipVotes,
): State {
  const known = state.skipVotes
  if (known && turn < known.turn) return state
  const isKnownOwn = known?.turn === turn && known.isOwn
  return { ...state, skipVotes: { trackId, turn, votes, needed, isOwn: isOwn ?? isKnownOwn } }
}

type ShownVotes = Pick<KnownVotes, 'votes' | 'needed' | 'isOwn'>
const noVotes: ShownVotes = { votes: 0, needed: 0, isOwn: false }

/** Returns the votes to skip the track that is drawn; null where the room has no votes or no track. */
export function viewSkipVotes({
  room,
  track,
  skipVotes,
}: Voting & { room: Room | null; track: Track | null }): ShownVotes | null {
  if (!track || room === null || room.settings.skipVotes === 'off') return null
  return skipVotes?.trackId === track.id ? skipVotes : noVotes
}

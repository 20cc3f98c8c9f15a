import { SkipForward } from 'lucide-react'
import { viewSkipVotes } from '../../../engine/state/skip-votes.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** Returns the votes to skip the current track as a text; null while there are none. */
export function useSkipVotesText(): string | null {
  const votes = useRoomState((state) => viewSkipVotes(state)?.votes ?? 0)
  const needed = useRoomState((state) => viewSkipVotes(state)?.needed ?? 0)
  return votes > 0 ? nowPlaying.skipVotes(votes, needed) : null
}

/** Whether the viewer votes to skip in place of skipping (17.470). */
export const useMayVote = (): boolean =>
  useRoomState((state) => !state.mayControl && viewSkipVotes(state) !== null)

/** Votes to skip the current track, and takes the vote back. */
export function VoteButton() {
  const { voteToSkip } = useRoomActions()
  const run = useRoomCommand()
  const isOwn = useRoomState((state) => viewSkipVotes(state)?.isOwn ?? false)
  const text = useSkipVotesText()
  return (
    <HintedButton
      tone="plain"
      label={nowPlaying.voteToSkip}
      hint={text ?? nowPlaying.voteToSkip}
      aria-pressed={isOwn}
      onClick={() => run(() => voteToSkip(!isOwn))}
      className={isOwn ? 'bg-brand-soft' : ''}
    >
      <SkipForward aria-hidden fill={isOwn ? 'currentColor' : 'none'} />
    </HintedButton>
  )
}

import type { RoomSettings } from '../protocol/entities.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'
import { skipToNext } from './next-track.ts'

/** Votes of listeners who do not have the controls. The server counts them, and issues the command. */

/** Returns how many votes skip a track of so many listeners: more than half of them, or a third; one at least. */
export function neededVotes({ skipVotes }: RoomSettings, listeners: number): number {
  return skipVotes === 'third' ? Math.max(1, Math.ceil(listeners / 3)) : Math.floor(listeners / 2) + 1
}

/** Skips the current track as `next` does. Ignores a turn that is over, and a room that has no votes any more. */
export function skipByVote(
  state: RoomState,
  { turn, loaded }: Extract<RoomCommand, { type: 'skip_by_vote' }>,
  context: CommandContext,
): RoomOutcome {
  const isOver = state.track === null || state.turn !== turn
  if (isOver || state.settings.skipVotes === 'off') return { state, changes: [] }
  return skipToNext(state, { loaded }, context)
}

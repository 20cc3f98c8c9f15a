import type { Rooms } from '../rooms/rooms.ts'
import { bindEvent } from './bind-event.ts'

/** Votes to skip the current track. */
export function voteEvents({ votesToSkip }: Pick<Rooms, 'votesToSkip'>) {
  return {
    skip_vote: bindEvent('skip_vote', {
      rate: 'vote',
      handle: async ({ roomId, sequenceNumber, isFor }, { user }) => ({
        votes: await votesToSkip.vote(roomId, { userId: user.id, sequenceNumber, isFor }),
      }),
    }),
  }
}

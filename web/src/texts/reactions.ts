import type { ReactionKind } from '@earshot/core/protocol/wire-constants'

/** The texts of the reactions. */

export const reactions = {
  title: 'Reactions',
  names: {
    love: 'Love it',
    fire: 'Fire',
    party: 'Party',
    laugh: 'Ha ha',
    wow: 'Wow',
    thumbs_up: 'Thumbs up',
  } satisfies Record<ReactionKind, string>,
  /** Said to screen readers once in a while. */
  summary: (count: number) => (count === 1 ? '1 reaction' : `${count} reactions`),
  failedTitle: 'Error',
  failedText: 'Could not send your reaction.',
}

import { z } from 'zod'
import { roomIdSchema } from './ids.ts'

/** Votes to skip the current track of a room (17.470 to 17.474). */

const skipVotesSchema = z.object({
  /** The current track. */
  trackId: z.string(),
  /** The sequence number with which it became current: counts of a lower turn are stale. */
  turn: z.number().int(),
  votes: z.number().int().nonnegative(),
  /** How many votes skip the track. */
  needed: z.number().int().positive(),
  /** Whether the receiver has voted; absent where all members get the same. */
  isOwn: z.boolean().optional(),
})
export type SkipVotes = z.infer<typeof skipVotesSchema>

/**
 * Votes to skip the current track, or takes the vote back. It counts for the turn that the client has seen: with a
 * `sequenceNumber` of an earlier track it is ignored.
 */
export const skipVoteCall = {
  payload: z.object({ roomId: roomIdSchema, sequenceNumber: z.number().int(), isFor: z.boolean() }),
  /** Null where the room has no votes, or no current track. */
  ack: z.object({ votes: skipVotesSchema.nullable() }),
}

export const skipVotesEventSchema = skipVotesSchema.extend({ roomId: roomIdSchema })

import { z } from 'zod'
import { limits } from '../limits.ts'
import { entryIdSchema, roomParams, trackIdSchema } from './ids.ts'
import { queueEntrySchema, trackSchema } from './entities.ts'

/** The queue's differences, its commands and its history on the wire (7.17, 17.40 to 17.46). */

const place = z.number().int().min(0).max(limits.queueMaxLength)

/** A part of a queue: entries `first` to `first + count - 1` of the queue before (from 0), or a whole entry. */
const queuePartSchema = z.union([
  z.object({ first: place, count: place }),
  z.object({ entry: queueEntrySchema }),
])
export type QueuePart = z.infer<typeof queuePartSchema>

/** The fields of `queueDelta`: the queue of `version`, made from that of `baseVersion` by the parts in order. */
export const queueDeltaFields = {
  baseVersion: z.number().int(),
  version: z.number().int(),
  parts: z.array(queuePartSchema),
}

/** A change of the queue. `index` is the place in the queue afterwards, from 0: the track that plays next. */
export const queueCommandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('add'), trackId: trackIdSchema }),
  z.object({ type: z.literal('move'), entryId: entryIdSchema, index: place }),
  z.object({ type: z.literal('remove'), entryId: entryIdSchema }),
  /** Undoes a removal of the last minute. */
  z.object({ type: z.literal('restore'), entryId: entryIdSchema }),
  /** Undoes the sender's `clear` of the last minute, which had this `commandId`. */
  z.object({ type: z.literal('restore_cleared'), clearId: z.string().min(1).max(200) }),
  /** Removes all entries for the owner, and one's own entries for any other member. */
  z.object({ type: z.literal('clear') }),
  /** Makes the entry current and starts it. */
  z.object({ type: z.literal('play'), entryId: entryIdSchema }),
])
export type QueueCommand = z.infer<typeof queueCommandSchema>

/**
 * The answer to a command. `applied` is false if it changed nothing, for example because it was repeated. `omitted`: how
 * many of the entries to restore did not fit; absent where all did.
 */
export const queueAnswerSchema = z.object({
  applied: z.boolean(),
  queueVersion: z.number().int(),
  omitted: z.number().int().positive().optional(),
})

/** A track that the room has played. `id` sorts by time; `played_at` is when it ended or was skipped, in ms. */
const playedTrackSchema = z.object({
  id: z.string(),
  track: trackSchema,
  added_by: z.string().nullable(),
  added_by_name: z.string().nullable(),
  played_at: z.number(),
})
export type PlayedTrack = z.infer<typeof playedTrackSchema>

export const queueCalls = {
  listHistory: {
    method: 'GET',
    path: '/api/rooms/:roomId/history',
    summary: 'List what the room has played, latest first, in pages (members)',
    signedIn: true,
    params: roomParams,
    query: z.object({ before: z.string().max(100).optional() }),
    response: z.object({ played: z.array(playedTrackSchema), hasMore: z.boolean() }),
  },
} as const

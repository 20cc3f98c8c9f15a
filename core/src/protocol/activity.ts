import { z } from 'zod'

/**
 * An event of a room, as one quiet line. `added`, `removed`: tracks of the queue; `played_next`: a track was moved to
 * the front; `voted_out`: was skipped by votes; `controls`: the user got the controls.
 */
const activityKindSchema = z.enum([
  'added',
  'removed',
  'skipped',
  'voted_out',
  'played_next',
  'joined',
  'left',
  'controls',
  'kicked',
  'banned',
])
export type ActivityKind = z.infer<typeof activityKindSchema>

const activityUserSchema = z.object({ id: z.string(), username: z.string() })

export const activitySchema = z.object({
  /** Unique in the room; ids sort by time. */
  id: z.string(),
  /** When the first thing that this line covers happened, ms of the server's clock. */
  atMs: z.number(),
  kind: activityKindSchema,
  /** The user who did it, or to whom it happened; of several who joined or left, the first. Null for the server itself. */
  user: activityUserSchema.nullable(),
  /** Of the first track. */
  title: z.string().optional(),
  /** How many tracks, or how many people; absent for one. */
  count: z.number().int().positive().optional(),
  /** Of several who joined: the first of them, in the order in which they did. */
  users: z.array(activityUserSchema).optional(),
})
export type Activity = z.infer<typeof activitySchema>

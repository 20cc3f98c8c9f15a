import { z } from 'zod'
import { memberSchema, messageSchema, playbackStateSchema, queueEntrySchema, roomSchema } from './entities.ts'

/** Everything somebody who joins needs, in one piece: nothing depends on a message that was sent before. */
export const roomSnapshotSchema = z.object({
  room: roomSchema,
  queue: z.array(queueEntrySchema),
  /** As in queueUpdate. */
  queueVersion: z.number().int().optional(),
  members: z.array(memberSchema),
  /** Members in all: `members` holds the first page of them. */
  memberCount: z.number().int().nonnegative(),
  state: playbackStateSchema,
  /** The latest page, oldest first. */
  messages: z.array(messageSchema),
  /** The server's time in ms when it made the snapshot. */
  serverTime: z.number(),
})
export type RoomSnapshot = z.infer<typeof roomSnapshotSchema>

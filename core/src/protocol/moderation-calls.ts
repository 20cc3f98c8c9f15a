import { z } from 'zod'
import { roomParams, userIdSchema } from './ids.ts'

/** The calls by which the owner of a room removes members, bans users and deletes messages. */

const userParams = roomParams.extend({ userId: userIdSchema })
const empty = z.object({})

/** A user who may not join a room. */
const roomBanSchema = z.object({
  user_id: z.string(),
  /** 'Unknown' where the account no longer exists. */
  username: z.string(),
  avatar_url: z.string().nullable(),
  created_at: z.number(),
})
export type RoomBan = z.infer<typeof roomBanSchema>

export const moderationCalls = {
  kickMember: {
    method: 'POST',
    path: '/api/rooms/:roomId/members/:userId/kick',
    summary: 'Remove a member from the room on all their connections; they may come back (owner)',
    signedIn: true,
    params: userParams,
    response: empty,
  },
  banUser: {
    method: 'POST',
    path: '/api/rooms/:roomId/bans/:userId',
    summary:
      'Remove a user from the room and refuse them until the ban is lifted; with `removeContent` also remove their waiting tracks and messages (owner)',
    signedIn: true,
    params: userParams,
    /** Strict: who sends an end of the ban must not believe that it has one. */
    body: z.strictObject({ removeContent: z.boolean().optional() }),
    response: empty,
  },
  liftBan: {
    method: 'DELETE',
    path: '/api/rooms/:roomId/bans/:userId',
    summary: 'Lift a ban (owner)',
    signedIn: true,
    params: userParams,
    response: empty,
  },
  listBans: {
    method: 'GET',
    path: '/api/rooms/:roomId/bans',
    summary: 'List the bans of the room, latest first (owner)',
    signedIn: true,
    params: roomParams,
    response: z.object({ bans: z.array(roomBanSchema) }),
  },
  deleteMessage: {
    method: 'DELETE',
    path: '/api/rooms/:roomId/messages/:messageId',
    summary: 'Delete a chat message (its author, or the owner of the room)',
    signedIn: true,
    params: roomParams.extend({ messageId: z.string().min(1).max(100) }),
    response: empty,
  },
} as const

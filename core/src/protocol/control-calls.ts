import { z } from 'zod'
import { roomSchema } from './entities.ts'
import { roomIdSchema, updateRoomSchema } from './validation.ts'

/** The HTTP calls by which an owner changes a room. */

const params = z.object({ roomId: roomIdSchema })

export const controlCalls = {
  updateRoom: {
    method: 'PATCH',
    path: '/api/rooms/:roomId',
    summary:
      'Change name, settings or privacy (owner). A new password ends all invites, and the admissions of who is not there',
    signedIn: true,
    params,
    body: updateRoomSchema,
    response: z.object({ room: roomSchema }),
  },
  deleteRoom: {
    method: 'DELETE',
    path: '/api/rooms/:roomId',
    summary: 'Delete the room with its queue and chat; its members are sent away (owner)',
    signedIn: true,
    params,
    response: z.object({}),
  },
  changeOwner: {
    method: 'POST',
    path: '/api/rooms/:roomId/owner',
    summary: 'Hand the room over for good to a member who is present and has an account (owner)',
    signedIn: true,
    params,
    body: z.object({ userId: z.string().min(1).max(200) }),
    response: z.object({ room: roomSchema }),
  },
} as const

import { z } from 'zod'
import { roomSchema } from './entities.ts'
import { roomParams, userIdSchema } from './ids.ts'
import { updateRoomSchema } from './validation.ts'

/** The HTTP calls by which an owner changes a room. */

export const controlCalls = {
  updateRoom: {
    method: 'PATCH',
    path: '/api/rooms/:roomId',
    summary:
      'Change name, settings or privacy (owner). A new password ends all invites, and the admissions of who is not there',
    signedIn: true,
    params: roomParams,
    body: updateRoomSchema,
    response: z.object({ room: roomSchema }),
  },
  deleteRoom: {
    method: 'DELETE',
    path: '/api/rooms/:roomId',
    summary: 'Delete the room with its queue and chat; its members are sent away (owner)',
    signedIn: true,
    params: roomParams,
    response: z.object({}),
  },
  changeOwner: {
    method: 'POST',
    path: '/api/rooms/:roomId/owner',
    summary: 'Hand the room over for good to a member who is present and has an account (owner)',
    signedIn: true,
    params: roomParams,
    body: z.object({ userId: userIdSchema }),
    response: z.object({ room: roomSchema }),
  },
} as const

import { z } from 'zod'
import { roomSettingsSchema } from './entities.ts'
import { roomParams } from './ids.ts'

/** The HTTP calls of a room's door: what a visitor sees before joining. */

/**
 * Of a private room without an invite, only its name, its owner and the number of listeners; of one that is not listed
 * nothing: both names are empty then, and the number is 0.
 */
const doorSchema = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.object({ username: z.string(), avatar: z.string().nullable() }),
  isPublic: z.boolean(),
  listeners: z.number().int().nonnegative(),
  /** The first members present; empty where the visitor may not see them. */
  faces: z.array(z.object({ username: z.string(), avatar: z.string().nullable() })),
  /** The current track; null without one, and where the visitor may not see it. */
  track: z.object({ title: z.string(), artist: z.string(), art: z.string().nullable() }).nullable(),
  isPlaying: z.boolean(),
  /** Whether the invite of the call admits now. */
  isInvited: z.boolean(),
  guests: roomSettingsSchema.shape.guests,
  /** Whether a visitor without an account may come now. */
  guestsMayCome: z.boolean(),
  /** Whether joining takes the room's password. */
  asksPassword: z.boolean(),
})
export type Door = z.infer<typeof doorSchema>

const response = z.object({ door: doorSchema })

export const doorCalls = {
  getDoor: {
    method: 'GET',
    path: '/api/rooms/:roomId/door',
    summary: 'Get what a visitor sees of a room before joining',
    signedIn: false,
    params: roomParams,
    response,
  },
  /** The token is in the body, because addresses are logged. */
  getDoorAsInvited: {
    method: 'POST',
    path: '/api/rooms/:roomId/door',
    summary: 'Get what a visitor with an invite sees of a room before joining',
    signedIn: false,
    params: roomParams,
    body: z.object({ invite: z.string().max(100) }),
    response,
  },
} as const

import { z } from 'zod'
import { messageSchema } from './entities.ts'
import { roomParams } from './ids.ts'
import { clientMessageIdSchema, messageContentSchema } from './validation.ts'
import { reactionKinds } from './wire-constants.ts'

/** The HTTP calls of a room's chat (7.6) and of reactions. */

export const chatCalls = {
  listMessages: {
    method: 'GET',
    path: '/api/rooms/:roomId/messages',
    summary: 'List chat messages, oldest first: the latest page, or the page before a message (members)',
    signedIn: true,
    params: roomParams,
    query: z.object({ before: z.string().max(100).optional() }),
    response: z.object({ messages: z.array(messageSchema), hasMore: z.boolean() }),
  },
  sendMessage: {
    method: 'POST',
    path: '/api/rooms/:roomId/messages',
    summary: 'Send a chat message; a repetition with the same clientMessageId is stored once (members)',
    signedIn: true,
    params: roomParams,
    body: z.object({ content: messageContentSchema, clientMessageId: clientMessageIdSchema.optional() }),
    response: z.object({ message: messageSchema }),
  },
  sendReaction: {
    method: 'POST',
    path: '/api/rooms/:roomId/reactions',
    summary: "Show a reaction on all members' pages at the same moment; it is not stored (members)",
    signedIn: true,
    params: roomParams,
    body: z.object({ kind: z.enum(reactionKinds) }),
    response: z.object({}),
  },
} as const

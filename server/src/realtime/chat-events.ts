import type { Rooms } from '../rooms/rooms.ts'
import { bindEvent } from './client-event.ts'

/** Messages and reactions. */
export function chatEvents({ chat }: Pick<Rooms, 'chat'>) {
  return {
    send_message: bindEvent('send_message', {
      rate: 'chat',
      handle: async ({ roomId, message, clientMessageId }, call) => {
        await call.requireMember(roomId)
        const content = typeof message === 'string' ? message : message.content
        return { message: await chat.send({ roomId, author: call.user, content, clientMessageId }) }
      },
    }),
    reaction: bindEvent('reaction', {
      rate: 'reaction',
      handle: async ({ roomId, kind }, call) => {
        await call.requireMember(roomId)
        chat.reactions.add(roomId, kind)
        return {}
      },
    }),
  }
}

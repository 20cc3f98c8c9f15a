import type { Chat } from '../rooms/chat.ts'
import { bindEvent } from './client-event.ts'

export function chatEvents(chat: Chat) {
  return {
    send_message: bindEvent('send_message', {
      rate: 'chat',
      handle: async ({ roomId, message }, call) => {
        await call.requireMember(roomId)
        const content = typeof message === 'string' ? message : message.content
        return { message: await chat.send(roomId, call.user.id, content) }
      },
    }),
  }
}

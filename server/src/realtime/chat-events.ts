import type { Rooms } from '../rooms/rooms.ts'
import { bindEvent } from './bind-event.ts'

/** Messages and reactions. */
export function chatEvents({
  chat,
  reactions,
  changeLimit,
}: Pick<Rooms, 'chat' | 'reactions' | 'changeLimit'>) {
  return {
    send_message: bindEvent('send_message', {
      rate: 'chat',
      handle: async ({ roomId, message, clientMessageId }, call) => {
        const { user, socket } = call
        const content = typeof message === 'string' ? message : message.content
        const sent = { roomId, author: user, content, clientMessageId }
        const sender = { user, address: socket.data.address }
        return { message: await changeLimit.message(roomId, sender, () => chat.send(sent)) }
      },
    }),
    reaction: bindEvent('reaction', {
      rate: 'reaction',
      handle: ({ roomId, kind }) => {
        reactions.add(roomId, kind)
        return {}
      },
    }),
  }
}

import type { Message } from '@earshot/core/protocol/entities'
import type { OutgoingMessage } from '../../../engine/chat/chat-state.ts'

/** An item of the chat's list, oldest first. Another kind of line, such as what happened in the room, is a kind here. */
export type ChatItem =
  | { kind: 'day'; key: string; atMs: number }
  /** The first message of a group shows its sender and time. */
  | { kind: 'message'; key: string; message: Message; isFirst: boolean }
  | { kind: 'outgoing'; key: string; message: OutgoingMessage; isFirst: boolean }

const groupWithinMs = 5 * 60_000

/**
 * Lists messages with a line before each day, then what the viewer has sent and the server not acknowledged. Groups what
 * one sender wrote within five minutes of the previous message. A message keeps its key when it is acknowledged.
 */
export function listChatItems(
  messages: readonly Message[],
  outgoing: readonly OutgoingMessage[],
  viewerId: string,
): ChatItem[] {
  const items: ChatItem[] = []
  let before: { senderId: string; atMs: number } | null = null
  const beginsGroup = (senderId: string, atMs: number): boolean => {
    const isNewDay = before === null || dayOf(before.atMs) !== dayOf(atMs)
    if (isNewDay) items.push({ kind: 'day', key: `day ${dayOf(atMs)}`, atMs })
    const continues = !isNewDay && before?.senderId === senderId && atMs - before.atMs < groupWithinMs
    before = { senderId, atMs }
    return !continues
  }
  for (const message of messages) {
    const isFirst = beginsGroup(message.user_id, message.created_at)
    items.push({ kind: 'message', key: keyOf(message), message, isFirst })
  }
  for (const message of outgoing) {
    const isFirst = beginsGroup(viewerId, Math.max(message.writtenAtMs, messages.at(-1)?.created_at ?? 0))
    items.push({ kind: 'outgoing', key: `${viewerId} ${message.id}`, message, isFirst })
  }
  return items
}

const keyOf = ({ id, user_id: senderId, client_message_id: clientId }: Message): string =>
  clientId === undefined ? id : `${senderId} ${clientId}`

/** The day of an instant in the viewer's time zone. */
const dayOf = (atMs: number): string => new Date(atMs).toDateString()

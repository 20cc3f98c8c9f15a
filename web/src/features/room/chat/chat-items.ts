import { minuteMs } from '@earshot/core/clock'
import type { Activity } from '@earshot/core/protocol/activity'
import type { Message } from '@earshot/core/protocol/entities'
import type { OutgoingMessage } from '../../../engine/chat/chat-state.ts'
import { placeActivity } from '../activity.tsx'

/** An item of the chat's list, oldest first. */
export type ChatItem =
  | { kind: 'day'; key: string; atMs: number }
  /** The first message of a group shows its sender and time. */
  | { kind: 'message'; key: string; message: Message; isFirst: boolean }
  | { kind: 'activity'; key: string; line: Activity }
  | { kind: 'outgoing'; key: string; message: OutgoingMessage; isFirst: boolean }

export interface ChatContent {
  messages: readonly Message[]
  /** Whether there are no earlier messages than these. */
  isWhole: boolean
  lines: readonly Activity[]
  outgoing: readonly OutgoingMessage[]
  viewerId: string
}

const groupWithinMs = 5 * minuteMs

/**
 * Lists messages and what happened between them, with a line before each day, then what the viewer has sent and the
 * server not acknowledged. Groups what one sender wrote within five minutes of the previous message. A message keeps its
 * key when it is acknowledged.
 */
export function listChatItems({ messages, isWhole, lines, outgoing, viewerId }: ChatContent): ChatItem[] {
  const items: ChatItem[] = []
  let day: string | null = null
  let before: { senderId: string; atMs: number } | null = null
  const beginDay = (atMs: number): void => {
    if (dayOf(atMs) === day) return
    day = dayOf(atMs)
    before = null
    items.push({ kind: 'day', key: `day ${day}`, atMs })
  }
  const beginsGroup = (senderId: string, atMs: number): boolean => {
    beginDay(atMs)
    const continues = before?.senderId === senderId && atMs - before.atMs < groupWithinMs
    before = { senderId, atMs }
    return !continues
  }
  const addLines = (placed: readonly Activity[] = []): void => {
    for (const line of placed) {
      beginDay(line.atMs)
      items.push({ kind: 'activity', key: `activity ${line.id}`, line })
    }
  }
  const firstMs = isWhole ? 0 : (messages[0]?.created_at ?? 0)
  const activity = placeActivity(
    messages,
    lines.filter(({ atMs }) => atMs >= firstMs),
  )
  for (const message of messages) {
    addLines(activity.before.get(message.id))
    const isFirst = beginsGroup(message.user_id, message.created_at)
    items.push({ kind: 'message', key: keyOf(message), message, isFirst })
  }
  addLines(activity.after)
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

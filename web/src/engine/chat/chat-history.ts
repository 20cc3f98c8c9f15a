import { limits } from '@earshot/core/limits'
import type { Author, Message, RoomSnapshot } from '@earshot/core/protocol/entities'
import type { RoomState } from '../state/room-state.ts'

/** How the chat's messages change, as pure functions of the room's state. */

/** A message this much older than a snapshot is in it; a younger one may have overtaken it. */
const newerMessageMs = 5_000

/**
 * Continues the known chat with its latest page, which is what the server has: an older message in its range that it
 * lacks was deleted. Replaces the chat when more than a page was missed.
 */
export function applyLatestMessages(
  state: RoomState,
  { messages: latest, serverTime }: Pick<RoomSnapshot, 'messages' | 'serverTime'>,
): RoomState {
  const { messages: known, hasOlderMessages } = state
  const isWhole = latest.length < limits.messagesPageSize
  const firstId = isWhole ? '' : (latest[0]?.id ?? '')
  const lastId = latest.at(-1)?.id ?? ''
  const reachesTo = known.findLast(({ id }) => id <= lastId)?.id ?? ''
  const isContinued = known.length > 0 && reachesTo >= firstId
  const others = known.filter(
    ({ id, created_at: sentAtMs }) => (isContinued && id < firstId) || sentAtMs > serverTime - newerMessageMs,
  )
  const changed = {
    ...state,
    messages: mergeMessages(known, [...others, ...latest]),
    hasOlderMessages: !isWhole && (!isContinued || hasOlderMessages),
    lastReadId: state.lastReadId ?? lastId,
  }
  return settle(changed, latest)
}

/** Adds a message in the order of ids, once; messages may arrive in any order. */
export function applyMessage(state: RoomState, message: Message): RoomState {
  const known = state.messages
  const lastId = known.at(-1)?.id ?? ''
  const messages = message.id > lastId ? [...known, message] : mergeMessages(known, [...known, message])
  return settle({ ...state, messages }, [message])
}

/**
 * Adds the page before `beforeId`, or the latest one where no message is known. Ignores it if that is no longer the
 * oldest message, which would leave a gap.
 */
export function applyOlderMessages(
  state: RoomState,
  page: { beforeId: string | undefined; messages: Message[]; hasMore: boolean },
): RoomState {
  const { messages: known } = state
  if (known[0]?.id !== page.beforeId) return state
  return {
    ...state,
    messages: mergeMessages(known, [...page.messages, ...known]),
    hasOlderMessages: page.hasMore,
  }
}

export function applyMessageDeleted(state: RoomState, messageId: string): RoomState {
  const messages = state.messages.filter(({ id }) => id !== messageId)
  return messages.length === state.messages.length ? state : { ...state, messages }
}

/** Removes the messages of a user up to `upToId`. */
export function applyMessagesDeleted(
  state: RoomState,
  { userId, upToId }: { userId: string; upToId: string },
): RoomState {
  const messages = state.messages.filter(({ id, user_id: author }) => author !== userId || id > upToId)
  return messages.length === state.messages.length ? state : { ...state, messages }
}

/** Shows the messages of a user as another's, who has an account, or as those of nobody. */
export function applyAuthorChanged(
  state: RoomState,
  { userId, author }: { userId: string; author: Author },
): RoomState {
  const messages = state.messages.map((message) =>
    message.user_id === userId ? { ...message, ...author, is_guest: false } : message,
  )
  return { ...state, messages }
}

/** Marks all messages as read. */
export function markRead(state: RoomState): RoomState {
  const lastReadId = state.messages.at(-1)?.id ?? ''
  return state.lastReadId !== null && state.lastReadId >= lastReadId ? state : { ...state, lastReadId }
}

/** Counts the messages of others that arrived since the viewer joined, and that the viewer has not seen. */
export function countUnread({ messages, lastReadId, userId }: RoomState): number {
  if (lastReadId === null) return 0
  const firstUnread = messages.findLastIndex(({ id }) => id <= lastReadId) + 1
  return messages.slice(firstUnread).filter(({ user_id: sender }) => sender !== userId).length
}

/** Removes what the viewer sent from the outbox as soon as it arrives as a message. */
function settle(state: RoomState, arrived: Message[]): RoomState {
  if (state.outgoing.length === 0) return state
  const own = arrived.filter(({ user_id: sender }) => sender === state.userId)
  const ids = new Set(own.map((message) => message.client_message_id))
  return { ...state, outgoing: state.outgoing.filter(({ id }) => !ids.has(id)) }
}

/** Orders messages by id, which is the order they were sent in. Keeps the known objects of unchanged messages. */
function mergeMessages(known: readonly Message[], all: readonly Message[]): Message[] {
  const before = new Map(known.map((message) => [message.id, message]))
  const after = new Map(all.map((message) => [message.id, keepSame(before.get(message.id), message)]))
  return [...after.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function keepSame(before: Message | undefined, after: Message): Message {
  const isSame =
    before?.content === after.content &&
    before.user_id === after.user_id &&
    before.is_guest === after.is_guest &&
    before.username === after.username &&
    before.avatar_url === after.avatar_url &&
    before.created_at === after.created_at
  return isSame ? before : after
}

import type { Message } from '@earshot/core/protocol/entities'
import type { ErrorCode } from '@earshot/core/protocol/errors'

/** A message of the viewer that the server has not acknowledged. */
export interface OutgoingMessage {
  /** Given by this page: the server stores a message with the same id once. */
  id: string
  content: string
  writtenAtMs: number
  /** Why the server refused it; null while it waits to be sent, or for its answer. */
  failure: ErrorCode | null
}

/** The chat's part of a room's state. */
export interface ChatState {
  /** Oldest first. */
  messages: Message[]
  hasOlderMessages: boolean
  /** The newest message that the viewer has seen, or that was there when the viewer joined; null before that. */
  lastReadId: string | null
  /** The viewer's messages that the server has not acknowledged, in the order they were written. */
  outgoing: readonly OutgoingMessage[]
  /** Until when the server takes no more messages of the viewer, on the client's clock in ms; null if never asked. */
  chatPausedUntilMs: number | null
}

export const initialChat: ChatState = {
  messages: [],
  hasOlderMessages: false,
  lastReadId: null,
  outgoing: [],
  chatPausedUntilMs: null,
}

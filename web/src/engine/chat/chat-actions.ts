import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import { callApiTwice } from '../../api/call-api.ts'
import type { ServerCalls } from '../../realtime/server-connection.ts'
import { update, type RoomStore } from '../state/room-state.ts'
import { applyOlderMessages, markRead } from './chat-history.ts'
import type { Outbox } from './outbox.ts'

/** What the page can do in the chat, and reactions. */
export interface ChatActions {
  /** Sends a message, at once or when the connection is back. Returns false if too many wait already. */
  sendMessage: (content: string) => boolean
  /** Sends a refused message again. */
  retryMessage: (id: string) => void
  /** Drops a message that the server has not acknowledged. */
  discardMessage: (id: string) => void
  /** Resolves when the page before the oldest known message is there. Rejects with an AppError. */
  loadOlderMessages: () => Promise<void>
  /** Marks all messages as read. */
  markChatRead: () => void
  /** Shows a reaction on the pages of all members, this one included. Rejects with an AppError. */
  react: (kind: ReactionKind) => Promise<void>
}

export interface ChatTargets {
  readonly roomId: string
  readonly store: RoomStore
  readonly connection: Pick<ServerCalls, 'call'>
  readonly outbox: Outbox
}

export function createChatActions({ roomId, store, connection, outbox }: ChatTargets): ChatActions {
  return {
    sendMessage: (content) => outbox.add(content),
    retryMessage: (id) => outbox.retry(id),
    discardMessage: (id) => outbox.discard(id),
    async loadOlderMessages() {
      const { messages, hasOlderMessages } = store.getState()
      const beforeId = messages[0]?.id
      if (!hasOlderMessages || beforeId === undefined) return
      const page = await callApiTwice('GET /api/rooms/:roomId/messages', {
        params: { roomId },
        query: { before: beforeId },
      })
      update(store, (state) => applyOlderMessages(state, { beforeId, ...page }))
    },
    markChatRead: () => update(store, markRead),
    async react(kind) {
      await connection.call('reaction', { roomId, kind })
    },
  }
}

import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Message } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import { deleteMessage, findMessage, insertMessage, listMessagesBefore } from '../db/messages.ts'
import type { EventBus } from '../events.ts'
import { newSortableId } from '../ids.ts'
import { requireGuestsChat, type Visitor } from './guest-rules.ts'

/** The chat of rooms (7.6). Callers check membership. */
export interface Chat {
  /** Stores a message and emits `messageSent`. @throws AppError guests_cannot_chat */
  send(roomId: string, author: Visitor, content: string): Promise<Message>
  /**
   * Deletes a message for everybody and emits `messageDeleted`. Authors delete their own, the room's owner any.
   * @throws AppError not_found
   */
  delete(roomId: string, messageId: string, by: { id: string; isOwner: boolean }): Promise<void>
  /** Resolves to the latest page, or the page before a message, oldest message first. */
  list(roomId: string, beforeId: string | null): Promise<{ messages: Message[]; hasMore: boolean }>
}

export function createChat(parts: { db: Db; clock: Clock; events: EventBus }): Chat {
  const { db, clock, events } = parts

  return {
    async send(roomId, author, content) {
      if (author.isGuest) await requireGuestsChat(db, roomId)
      const nowMs = Math.round(clock.now())
      const id = newSortableId(nowMs)
      await insertMessage(db, { id, room_id: roomId, user_id: author.id, content, created_at: nowMs })
      const message = await findMessage(db, id)
      if (!message) throw new AppError('internal')
      void events.emit('messageSent', { roomId, message })
      return message
    },
    async delete(roomId, messageId, { id, isOwner }) {
      const isDeleted = await deleteMessage(db, { roomId, messageId, authorId: isOwner ? null : id })
      if (!isDeleted) throw new AppError('not_found', 'There is no such message of yours')
      void events.emit('messageDeleted', { roomId, messageId })
    },
    async list(roomId, beforeId) {
      const limit = limits.messagesPageSize + 1
      const messages = await listMessagesBefore(db, roomId, { beforeId, limit })
      const hasMore = messages.length === limit
      return { messages: hasMore ? messages.slice(1) : messages, hasMore }
    },
  }
}

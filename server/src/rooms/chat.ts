import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Message } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { BoundedMap } from '../bounded-map.ts'
import type { Db } from '../db/database.ts'
import {
  deleteMessage,
  deleteMessagesOfUser,
  findByClientId,
  findMessage,
  insertMessage,
  listMessagesBefore,
  trimMessages,
} from '../db/messages.ts'
import { orRoomNotFound, refuseDeletedRoom } from '../db/rooms.ts'
import type { EventBus } from '../events.ts'
import { newSortableId } from '../ids.ts'
import { createUnawaitedRateLimiter } from '../limits/rate-limits.ts'
import { serverLimits } from '../server-limits.ts'
import { requireGuestsChat, type Visitor } from './room-access.ts'
import { otherRates } from '../limits/rates.ts'

interface MessageToSend {
  roomId: string
  author: Visitor
  content: string
  clientMessageId?: string | undefined
}

/** The chat of rooms (7.6). Callers check membership. */
export interface Chat {
  /**
   * Stores a message and emits `messageSent`. A message that the user's client has sent before, by the id that it gave
   * it, is only returned. @throws AppError guests_cannot_chat, rate_limited, room_not_found
   */
  send(message: MessageToSend): Promise<Message>
  /**
   * Deletes a message for everybody and emits `messageDeleted`. Authors delete their own, the room's owner any.
   * @throws AppError not_found
   */
  delete(roomId: string, messageId: string, by: { id: string; isOwner: boolean }): Promise<void>
  /** Deletes all messages of a user in a room, and emits `messagesDeleted` once. */
  deleteAllOf(userId: string, roomId: string): Promise<void>
  /** Resolves to the latest page, or the page before a message, oldest message first. */
  list(roomId: string, beforeId: string | null): Promise<{ messages: Message[]; hasMore: boolean }>
}

/** Counting what a room has takes a read of its index, so not with each message. */
const trimEvery = 100
const trimAtOnce = 500
const trimmedRoomsMax = 10_000

interface ChatParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  /** Null where one process counts the messages of a day. */
  redis: Redis | null
}

export function createChat({ db, clock, logger, events, redis }: ChatParts): Chat {
  const takeDailyPoint = createUnawaitedRateLimiter('chat-daily', otherRates.chatDaily, redis)
  const trim = createTrim(db)

  return {
    async send({ roomId, author, content, clientMessageId }) {
      if (author.isGuest) await requireGuestsChat(db, roomId)
      await takeDailyPoint(author.id)
      const nowMs = Math.round(clock.now())
      const id = newSortableId(nowMs)
      const sender = { room_id: roomId, user_id: author.id, client_message_id: clientMessageId ?? null }
      const isNew = await refuseDeletedRoom(insertMessage(db, { id, ...sender, content, created_at: nowMs }))
      const stored =
        isNew || clientMessageId === undefined
          ? await findMessage(db, id)
          : await findByClientId(db, { roomId, userId: author.id }, clientMessageId)
      const message = orRoomNotFound(stored)
      if (isNew) {
        void events.emit('messageSent', { roomId, message })
        // Not awaited: its failure must not fail a message that everybody has.
        trim(roomId).catch((error: unknown) => {
          logger.warn(
            { err: error, roomId },
            'Could not delete the oldest messages of a room; trying again later',
          )
        })
      }
      return message
    },
    async delete(roomId, messageId, { id, isOwner }) {
      const isDeleted = await deleteMessage(db, { roomId, messageId, authorId: isOwner ? null : id })
      if (!isDeleted) throw new AppError('not_found', 'There is no such message of yours')
      void events.emit('messageDeleted', { roomId, messageId })
    },
    async deleteAllOf(userId, roomId) {
      const upToId = newSortableId(clock.now())
      await deleteMessagesOfUser(db, { roomId, userId, upToId })
      void events.emit('messagesDeleted', { roomId, userId, upToId })
    },
    async list(roomId, beforeId) {
      const limit = limits.messagesPageSize + 1
      const messages = await listMessagesBefore(db, roomId, { beforeId, limit })
      const hasMore = messages.length === limit
      return { messages: hasMore ? messages.slice(1) : messages, hasMore }
    },
  }
}

/**
 * Returns a function to call after each message: with the first and each 100th of a room it deletes what the room has
 * too many.
 */
function createTrim(db: Db): (roomId: string) => Promise<void> {
  const counts = new BoundedMap<string, number>(trimmedRoomsMax)
  return async (roomId) => {
    const count = counts.get(roomId) ?? 0
    counts.set(roomId, count + 1)
    if (count % trimEvery === 0)
      await trimMessages(db, roomId, { keep: serverLimits.messagesMax, most: trimAtOnce })
  }
}

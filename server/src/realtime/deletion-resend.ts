import type { Clock } from '@earshot/core/clock'
import { BoundedMap } from '../bounded-map.ts'
import type { EventBus } from '../events.ts'
import { channelOf } from './room-channels.ts'
import { lossMarginMs } from './room-resend.ts'
import type { RoomServer } from './room-sockets.ts'

/** Bounds the memory of deletions. */
const keptMax = 1_000

/**
 * Tells the members of all processes again which messages were deleted at this one, where they may not have heard of it:
 * no table has what is deleted. It does so after each kind of loss, as the connections to Redis, of which one sends and
 * one listens, come back in any order.
 */
export function startDeletionResend(parts: { io: RoomServer; events: EventBus; clock: Clock }): void {
  const { io, events, clock } = parts
  const deletions = new BoundedMap<string, { send: () => void; atMs: number }>(keptMax)
  const resend = (sinceMs: number): void => {
    for (const [, { send, atMs }] of deletions) if (atMs >= sinceMs - lossMarginMs) send()
  }
  events.on('messageDeleted', (deleted) => {
    const send = () => void io.to(channelOf(deleted.roomId)).emit('messageDeleted', deleted)
    deletions.set(deleted.messageId, { send, atMs: clock.now() })
  })
  events.on('messagesDeleted', (deleted) => {
    const { roomId, userId } = deleted
    const send = () => void io.to(channelOf(roomId)).emit('messagesDeleted', deleted)
    deletions.set(`${roomId} ${userId}`, { send, atMs: clock.now() })
  })
  events.on('broadcastsMissed', ({ sinceMs }) => resend(sinceMs))
  io.on('deletions_missed', resend)
}

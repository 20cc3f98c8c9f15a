import { isInCharge } from '@earshot/core/room/permissions'
import type { RoomOutcome } from '@earshot/core/room/room-state'
import type { SessionUser } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { findRoom } from '../db/rooms.ts'
import { type Points, createRateLimiter, spendPoints, takePoint } from '../limits/rate-limits.ts'
import type { RoomRuntime } from './room-runtime.ts'
import { otherRates } from '../limits/rates.ts'

/** Changes of playback and queue, or messages: counted separately. */
type Broadcast = 'changes' | 'messages'

export interface Sender {
  user: Pick<SessionUser, 'id' | 'isGuest'>
  /** Under which the client's address counts; null: it does not. */
  address: string | null
}

/**
 * Limits the changes and messages of one room, in this process. Limits per user are not enough: one person can become
 * any number of guests. The owner and the member with the controls are not counted, so they can always pause. Refused
 * changes do not count, or strangers without rights could use up the members' limit.
 */
export interface RoomChangeLimit {
  /** Makes a change; one that changes nothing does not count. @throws AppError rate_limited, or its refusal */
  change<Outcome extends Pick<RoomOutcome, 'changes'>>(
    roomId: string,
    sender: Sender,
    change: () => Promise<Outcome>,
  ): Promise<Outcome>
  /** Sends a message. @throws AppError rate_limited, or its refusal */
  message<Sent>(roomId: string, sender: Sender, send: () => Promise<Sent>): Promise<Sent>
}

export function createRoomChangeLimit(parts: {
  db: Db
  runtime: Pick<RoomRuntime, 'findKnown'>
}): RoomChangeLimit {
  const ofRooms = createRateLimiter('room-changes', otherRates.roomChanges)
  const ofGuests = createRateLimiter('guest-changes', otherRates.guestChanges)

  const readControls = async (roomId: string): Promise<Parameters<typeof isInCharge>[0] | null> => {
    const found = await findRoom(parts.db, roomId)
    return found && { ownerId: found.row.owner_id, controllerId: found.row.controller_id }
  }
  /** Resolves to the points that it took. */
  const take = async (
    broadcast: Broadcast,
    roomId: string,
    { user, address }: Sender,
  ): Promise<readonly Points[]> => {
    const known = parts.runtime.findKnown(roomId)
    if (known && isInCharge(known, user.id)) return []
    const key = `${roomId}:${broadcast}`
    const points: Points[] = [{ limiter: ofRooms, key, points: 1 }]
    if (user.isGuest && address !== null)
      points.unshift({ limiter: ofGuests, key: `${key}:${address}`, points: 1 })
    try {
      for (const point of points) await takePoint(point.limiter, point.key)
      return points
    } catch (refusal) {
      // Another process may have changed who is in charge.
      const controls = await readControls(roomId)
      if (!controls || !isInCharge(controls, user.id)) throw refusal
      return []
    }
  }
  return {
    async change(roomId, sender, change) {
      const points = await take('changes', roomId, sender)
      return await spendPoints(points, change, ({ changes }) => changes.length > 0)
    },
    async message(roomId, sender, send) {
      const points = await take('messages', roomId, sender)
      return await spendPoints(points, send, () => true)
    },
  }
}

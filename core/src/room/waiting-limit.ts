import type { QueueEntry } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import { type Controls, isInCharge } from './permissions.ts'
import type { Actor, RoomState } from './room-state.ts'

/**
 * The limit of tracks that one member may have waiting in the queue (17.478). The owner has none, and neither has the
 * member with the controls while the owner is away.
 */

type LimitedQueue = Controls & Pick<RoomState, 'queue'>

/** Returns how many more tracks of a user may wait; Infinity without a limit. */
export function remainingForUser(room: LimitedQueue, userId: string | null): number {
  const { waitingTracks: most } = room.settings
  if (most === null || userId === null || isInCharge(room, userId)) return Infinity
  return Math.max(0, most - room.queue.filter((entry) => entry.added_by === userId).length)
}

/** @throws AppError too_many_waiting: so many more would be too many */
export function requireWithinLimit(room: LimitedQueue, userId: string, count: number): void {
  if (count > remainingForUser(room, userId)) throw new AppError('too_many_waiting')
}

/**
 * Returns the entries, in order, that their users may have waiting; all where who puts them back has no limit.
 * @throws AppError too_many_waiting: none of them
 */
export function withinLimit(room: LimitedQueue, entries: readonly QueueEntry[], actor: Actor): QueueEntry[] {
  if (actor.kind === 'server' || isInCharge(room, actor.id)) return [...entries]
  const remaining = new Map<string | null, number>()
  const within = entries.filter(({ added_by: userId }) => {
    const left = remaining.get(userId) ?? remainingForUser(room, userId)
    remaining.set(userId, left - 1)
    return left > 0
  })
  if (within.length === 0) throw new AppError('too_many_waiting')
  return within
}

import { isCueComplete } from '@earshot/core/room/cue'
import type { Presence } from './presence.ts'
import type { RoomRuntime } from './room-runtime.ts'

/** Starts a cued track as soon as the listeners are ready; the agenda starts it at the deadline (4.13b). */
export interface Readiness {
  /** A member has loaded what the room cued with this sequence number. A stale number changes nothing. */
  reportReady(roomId: string, sequenceNumber: number, userId: string): Promise<void>
}

const remembered = 1_000

export function createReadiness(presence: Presence, runtime: RoomRuntime): Readiness {
  /** The cues that this process found complete, by room: stragglers need not ask the database again. */
  const complete = new Map<string, number>()
  const remember = (roomId: string, sequenceNumber: number): void => {
    complete.delete(roomId)
    complete.set(roomId, sequenceNumber)
    const oldest = complete.keys().next()
    if (complete.size > remembered && !oldest.done) complete.delete(oldest.value)
  }

  return {
    async reportReady(roomId, sequenceNumber, userId) {
      if (complete.get(roomId) === sequenceNumber) return
      const ready = await presence.markReady(roomId, sequenceNumber, userId)
      if (!isCueComplete(ready, await presence.countMembers(roomId))) return
      remember(roomId, sequenceNumber)
      await runtime.runCommand(roomId, { type: 'start_cued', sequenceNumber }, { kind: 'server' })
    },
  }
}

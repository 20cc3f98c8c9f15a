import { isCueComplete } from '@earshot/core/room/track-change'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { findRoom } from '../../db/rooms.ts'
import type { Presence } from '../../presence/presence.ts'
import { toStoredRoom } from '../store/room-rows.ts'
import type { RoomRuntime } from '../room-runtime.ts'

/** Starts a cued track as soon as the listeners are ready; the agenda starts it at the deadline (4.13b). */
export interface Readiness {
  /** A member has loaded what the room cued with this sequence number. A stale number changes nothing. */
  reportReady(roomId: string, sequenceNumber: number, userId: string): Promise<void>
  /** A member is not there any more, or not for now: perhaps the others waited for nobody else. Does not reject. */
  memberDropped(roomId: string): Promise<void>
}

export interface ReadinessParts {
  db: Db
  logger: Logger
  presence: Presence
  runtime: RoomRuntime
}

const remembered = 1_000

export function createReadiness({ db, logger, presence, runtime }: ReadinessParts): Readiness {
  /** The cues that this process found complete, by room: stragglers need not ask the database again. */
  const complete = new Map<string, number>()
  const remember = (roomId: string, sequenceNumber: number): void => {
    complete.delete(roomId)
    complete.set(roomId, sequenceNumber)
    const oldest = complete.keys().next()
    if (complete.size > remembered && !oldest.done) complete.delete(oldest.value)
  }
  const startIfComplete = async (roomId: string, sequenceNumber: number): Promise<void> => {
    const { ready, connected } = await presence.countReady(roomId, sequenceNumber)
    // Where nobody is left, somebody may be on their way back: the deadline decides.
    if (connected === 0 || !isCueComplete(ready, connected)) return
    remember(roomId, sequenceNumber)
    await runtime.runCommand(roomId, { type: 'start_cued', sequenceNumber }, { kind: 'server' })
  }

  return {
    async reportReady(roomId, sequenceNumber, userId) {
      if (complete.get(roomId) === sequenceNumber) return
      await presence.markReady(roomId, sequenceNumber, userId)
      await startIfComplete(roomId, sequenceNumber)
    },
    async memberDropped(roomId) {
      try {
        const room = await findRoom(db, roomId)
        const state = room && toStoredRoom(room.row, room.track, []).state
        if (state?.cue?.startWhenReady) await startIfComplete(roomId, state.timeline.sequenceNumber)
      } catch (error) {
        logger.error(
          { err: error, roomId },
          'could not look whether a cue is complete; it starts at its deadline',
        )
      }
    },
  }
}

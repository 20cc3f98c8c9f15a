import { isCueComplete } from '@earshot/core/room/track-change'
import type { Logger } from 'pino'
import { BoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/database.ts'
import { findRoom } from '../../db/rooms.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { toStoredRoom } from '../store/stored-room.ts'

/** Starts a cued track as soon as its listeners are ready; the scheduler starts it at the deadline (4.13b). */
export interface TrackReadiness {
  /** Records that a member loaded the track cued with this sequence number. A stale number changes nothing. */
  reportReady(roomId: string, sequenceNumber: number, userId: string): Promise<void>
}

export interface TrackReadinessParts {
  db: Db
  logger: Logger
  events: EventBus
  presence: Presence
  runtime: RoomRuntime
}

const maxRemembered = 1_000

/** Also starts a cue when the last member it waited for drops. */
export function createTrackReadiness({
  db,
  logger,
  events,
  presence,
  runtime,
}: TrackReadinessParts): TrackReadiness {
  /** Cues that this process found complete, by room: later reports skip the database. */
  const complete = new BoundedMap<string, number>(maxRemembered)
  const startIfComplete = async (roomId: string, sequenceNumber: number): Promise<void> => {
    const { ready, connected } = await presence.countReady(roomId, sequenceNumber)
    // With nobody connected, members may be reconnecting: the deadline decides.
    if (connected === 0 || !isCueComplete(ready, connected)) return
    complete.set(roomId, sequenceNumber)
    await runtime.runCommand(roomId, { type: 'start_cued', sequenceNumber }, { kind: 'server' })
  }

  events.on('memberDropped', async ({ roomId }) => {
    try {
      const room = await findRoom(db, roomId)
      const state = room && toStoredRoom(room.row, room.track, []).state
      if (state?.cue) await startIfComplete(roomId, state.timeline.sequenceNumber)
    } catch (error) {
      const message = 'Could not check whether a cue is complete; the track starts at its deadline'
      logger.error({ err: error, roomId }, message)
    }
  })

  return {
    async reportReady(roomId, sequenceNumber, userId) {
      if (complete.get(roomId) === sequenceNumber) return
      await presence.markReady(roomId, sequenceNumber, userId)
      await startIfComplete(roomId, sequenceNumber)
    },
  }
}

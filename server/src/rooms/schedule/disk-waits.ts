import { diskLookAt } from '@earshot/core/room/due'
import { type CommandPlan, type RoomState, isPlayingOrCued, serverActor } from '@earshot/core/room/room-state'
import { positionAt } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { Db } from '../../db/database.ts'
import { findRoom } from '../../db/rooms.ts'
import type { EventBus } from '../../events.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { toStoredRoom } from '../store/stored-room.ts'
import { logUnlessGone } from './log-unless-gone.ts'

export interface DiskWaits {
  /** Pauses a room for the disk of its current track, unless that has played for a while: listeners have buffered it. */
  begin(room: RoomState): Promise<void>
  /** Resolves when no look is under way. */
  close(): Promise<void>
}

interface DiskWaitsParts {
  db: Db
  logger: Logger
  events: EventBus
  runtime: RoomRuntime
  /** Whether the disk of a room's current track is still not mounted. */
  isUnmounted: (room: RoomState) => Promise<boolean>
}

/** A track that has played for longer was loaded before its disk was unmounted. */
const startedWithinMs = 5_000
const lookEveryMs = 5_000
const concurrency = 4

/**
 * Pauses rooms at the beginning of a track whose disk is not mounted, so that they do not play their whole queue in silence,
 * and starts them when it is back. A command of a member ends the wait. It is stored with the room, and the room scheduler
 * says when to look, so that any process goes on with it.
 */
export function createDiskWaits({ db, logger, events, runtime, isUnmounted }: DiskWaitsParts): DiskWaits {
  const look = async (roomId: string): Promise<void> => {
    const found = await findRoom(db, roomId)
    if (!found) return
    const { state } = toStoredRoom(found)
    const { sequenceNumber } = state.timeline
    if (diskLookAt(state) === null) return
    if (!(await isUnmounted(state))) {
      await runtime.runCommand(roomId, { type: 'disk_returned', sequenceNumber }, serverActor)
      return
    }
    const wait: CommandPlan = (current, nowMs) =>
      current.timeline.sequenceNumber === sequenceNumber && diskLookAt(current) !== null
        ? [{ type: 'await_disk', lookAtMs: nowMs + lookEveryMs }]
        : []
    await runtime.runCommand(roomId, wait, serverActor)
  }
  const looks = createWorkQueue(concurrency, (roomId) =>
    look(roomId).catch(
      logUnlessGone(logger, roomId, 'Could not check or resume a room that waits for its disk; retrying'),
    ),
  )
  events.on('diskLookDue', ({ roomId }) => looks.add(roomId))

  return {
    async begin({ id: roomId, track }) {
      const wait: CommandPlan = (state, nowMs) =>
        state.track?.id === track?.id && isStarting(state, nowMs)
          ? [{ type: 'await_disk', lookAtMs: nowMs + lookEveryMs }]
          : []
      const { changes } = await runtime.runCommand(roomId, wait, serverActor)
      if (changes.length === 0) return
      logger.warn(
        { roomId, trackId: track?.id },
        'The disk of a track is not available; its room is paused until it is',
      )
    },
    close: () => looks.close(),
  }
}

function isStarting(state: RoomState, nowMs: number): boolean {
  return isPlayingOrCued(state) && positionAt(state.timeline, nowMs) < startedWithinMs
}

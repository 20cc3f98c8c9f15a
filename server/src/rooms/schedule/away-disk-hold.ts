import type { Clock } from '@earshot/core/clock'
import { type CommandPlan, isPlayingOrCued, type RoomState } from '@earshot/core/room/room-state'
import { positionAt } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { logUnlessGone } from './log-unless-gone.ts'

export interface AwayDiskHold {
  /** Pauses a room whose current track is on a disk that is away, unless it has played for a while: listeners have buffered it. */
  hold(room: RoomState): Promise<void>
  /** Resolves when no look is under way. */
  close(): Promise<void>
}

export interface AwayDiskHoldParts {
  clock: Clock
  logger: Logger
  runtime: RoomRuntime
  /** Whether the disk of a room's current track is still away. */
  isAway: (room: RoomState) => Promise<boolean>
}

/** A track that has played for longer was loaded before its disk went away. */
const startedWithinMs = 5_000
const lookEveryMs = 5_000
const concurrency = 4
const server = { kind: 'server' } as const

/**
 * Holds rooms at the beginning of a track whose disk is away, so that they do not play their whole queue in silence, and
 * starts them when it is back. What somebody commands meanwhile ends the hold.
 */
export function createAwayDiskHold({ clock, logger, runtime, isAway }: AwayDiskHoldParts): AwayDiskHold {
  const timers = createKeyedTimers(clock)
  /** By room, the sequence number of the pause. */
  const held = new Map<string, number>()
  const lookLater = (roomId: string): void =>
    timers.set(roomId, clock.now() + lookEveryMs, () => looks.add(roomId))

  const look = async (roomId: string): Promise<void> => {
    const sequenceNumber = held.get(roomId)
    const { state } = await runtime.runCommand(roomId, () => [], server)
    if (state.timeline.sequenceNumber !== sequenceNumber) return void held.delete(roomId)
    if (await isAway(state)) return lookLater(roomId)
    held.delete(roomId)
    const play: CommandPlan = ({ timeline }) =>
      timeline.sequenceNumber === sequenceNumber ? [{ type: 'play' }] : []
    await runtime.runCommand(roomId, play, server)
  }
  const looks = createWorkQueue(concurrency, (roomId) =>
    look(roomId).catch((error: unknown) => {
      logUnlessGone(logger, roomId, 'Could not start a room whose disk is back; looking again')(error)
      if (held.has(roomId)) lookLater(roomId)
    }),
  )

  return {
    async hold({ id: roomId, track }) {
      const pause: CommandPlan = (state, nowMs) =>
        state.track?.id === track?.id && isStarting(state, nowMs) ? [{ type: 'pause' }] : []
      const { state, changes } = await runtime.runCommand(roomId, pause, server)
      if (changes.length === 0) return
      logger.warn({ roomId, trackId: track?.id }, 'The disk of a track is away; its room waits for it')
      held.set(roomId, state.timeline.sequenceNumber)
      lookLater(roomId)
    },
    async close() {
      timers.close()
      await looks.close()
    },
  }
}

function isStarting(state: RoomState, nowMs: number): boolean {
  return isPlayingOrCued(state) && positionAt(state.timeline, nowMs) < startedWithinMs
}

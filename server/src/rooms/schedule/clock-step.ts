import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { excessLeadMs } from '@earshot/core/room/playback'
import { type CommandPlan, type RoomCommand, serverActor } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import { repeat } from '../../async/repeat.ts'
import type { ServerClock } from '../../clock/server-clock.ts'
import type { Db } from '../../db/database.ts'
import { listRoomsAheadOf, listRunningRooms } from '../../db/scheduled-rooms.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { logUnlessGone } from './log-unless-gone.ts'

interface ClockStepParts {
  db: Db
  clock: ServerClock
  logger: Logger
  runtime: RoomRuntime
  /** Closes the connections of this process: clients reconnect, and measure the clock anew. */
  closeConnections: () => void
  /** Resolves to whether this process is the one that moves the rooms. */
  claim: () => Promise<boolean>
}

/**
 * Returns a function that steps the clock, and moves all playing rooms with it, so that they go on where they are. In
 * between, no room's end may seem to have come: rooms move first when the clock goes forward, and last when it goes back.
 * Where the clock of this process alone was wrong, the rooms stay: the others stamped them. Rejects only while nothing has
 * moved: it would move rooms twice when it is repeated.
 */
export function createClockStep(parts: ClockStepParts): (ms: number, isAlone?: boolean) => Promise<void> {
  const { db, clock, closeConnections, claim } = parts
  return async (ms, isAlone = false) => {
    const byMs = Math.round(ms)
    const running = isAlone ? [] : await listRunningRooms(db)
    closeConnections()
    const roomIds = !isAlone && (await claim()) ? running : []
    if (byMs > 0) await moveRooms(parts, roomIds, { type: 'clock_stepped', byMs })
    clock.step(byMs)
    if (byMs < 0) await moveRooms(parts, roomIds, { type: 'clock_stepped', byMs })
  }
}

/** Moves each room that can be moved. */
async function moveRooms(
  { runtime, logger }: Pick<ClockStepParts, 'runtime' | 'logger'>,
  roomIds: string[],
  command: RoomCommand | CommandPlan,
): Promise<void> {
  for (const roomId of roomIds) {
    const message = 'Could not shift a room by the clock step; its position is off until the next command'
    await runtime.runCommand(roomId, command, serverActor).catch(logUnlessGone(logger, roomId, message))
  }
}

interface FutureStartParts {
  db: Db
  clock: Clock
  logger: Logger
  runtime: RoomRuntime
  /** Resolves to whether this process's own clock is right. */
  isClockRight: () => Promise<boolean>
}

/**
 * Finds rooms whose start lies further ahead than the longest lead, now and every minute, and moves it there: a clock
 * that was wrong stamped them, unless it is the own one. Returns a function that stops it and resolves when no run is under
 * way.
 */
export function startFutureStartClamp(parts: FutureStartParts): () => Promise<void> {
  const { db, clock, logger, runtime, isClockRight } = parts
  const plan: CommandPlan = (state, nowMs) => {
    const excessMs = excessLeadMs(state, nowMs)
    return excessMs > 0 ? [{ type: 'clock_stepped', byMs: -excessMs }] : []
  }
  const clamp = async (): Promise<void> => {
    const aheadOfMs = clock.now() + Math.max(limits.leadMaxMs, limits.cueTimeoutMs)
    const roomIds = await listRoomsAheadOf(db, aheadOfMs)
    if (roomIds.length === 0 || !(await isClockRight())) return
    for (const roomId of roomIds)
      logger.warn({ roomId }, 'The start of a room lies too far ahead; a clock was wrong. Starting it now')
    await moveRooms({ runtime, logger }, roomIds, plan)
  }
  return repeat(clock, { firstMs: 0, everyMs: 60_000 }, clamp, (error) =>
    logger.error({ err: error }, 'Could not look for starts too far ahead; retrying in a minute'),
  )
}

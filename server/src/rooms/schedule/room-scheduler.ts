import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { dueAt, dueCommand } from '@earshot/core/room/track-change'
import type { RoomState } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { listDueRooms } from '../../db/rooms.ts'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { repeat } from '../../async/repeat.ts'
import type { CommandPlan } from '../room-runtime.ts'
import { createWorkQueue } from '../../async/work-queue.ts'

/**
 * Acts when a track ends and when a cue has waited long enough. When that is stands in the room's row, so it survives
 * the process; every process keeps an eye on all rooms, and whoever acts second finds nothing left to do.
 */
export interface Agenda {
  /** A room was just stored by this process: its next instant counts from now on. */
  noticeRoom(state: RoomState): void
  close(): Promise<void>
}

export interface AgendaParts {
  db: Db
  clock: Clock
  logger: Logger
  runAsServer: (roomId: string, plan: CommandPlan) => Promise<unknown>
}

/** Rooms acted upon at the same time: after a long stop many are due at once. */
const concurrency = 8

const planDue: CommandPlan = (state, nowMs) => {
  const command = dueCommand(state, nowMs)
  return command ? [command] : []
}

/** Sweeps at once, so that a restarted server goes on where it stopped. */
export function startAgenda(parts: AgendaParts): Agenda {
  const { clock, db, logger } = parts
  const timers = createKeyedTimers(clock)
  const queue = createWorkQueue(concurrency, (roomId) => act(parts, roomId))

  const schedule = (roomId: string, dueAtMs: number | null): void => {
    if (dueAtMs === null || dueAtMs > clock.now() + limits.roomSweepHorizonMs) return timers.cancel(roomId)
    timers.set(roomId, dueAtMs, () => queue.add(roomId))
  }

  const sweep = async (): Promise<void> => {
    const due = await listDueRooms(db, clock.now() + limits.roomSweepHorizonMs, limits.roomSweepBatchSize)
    for (const room of due) schedule(room.id, room.dueAtMs)
  }

  const stopSweeping = repeat(clock, { firstMs: 0, everyMs: limits.roomSweepMs }, sweep, (error) =>
    logger.error({ err: error }, 'could not look for rooms that are due'),
  )

  return {
    noticeRoom(state) {
      const dueAtMs = dueAt(state)
      // What is still due right after it was acted upon waits for the sweep, instead of going round in circles.
      const isStuck = queue.isWorkingOn(state.id) && dueAtMs !== null && dueAtMs <= clock.now()
      schedule(state.id, isStuck ? null : dueAtMs)
    },
    async close() {
      await stopSweeping()
      timers.close()
      await queue.close()
    },
  }
}

async function act({ runAsServer, logger }: AgendaParts, roomId: string): Promise<void> {
  try {
    await runAsServer(roomId, planDue)
  } catch (error) {
    logger.error({ err: error, roomId }, 'could not act on a room that is due; the next sweep tries again')
  }
}

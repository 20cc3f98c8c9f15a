import type { Clock } from '@earshot/core/clock'
import {
  type ReadReference,
  agrees,
  followReference,
  machineReference,
  redisReadings,
  redisReference,
} from '../clock/clock-follower.ts'
import type { ServerClock } from '../clock/server-clock.ts'
import type { RoomServer } from '../realtime/room-sockets.ts'
import type { RoomRuntime } from '../rooms/room-runtime.ts'
import { createClockStep, startFutureStartClamp } from '../rooms/schedule/clock-step.ts'
import type { Base } from './base.ts'

/**
 * Keeps the clock on that of the machine, or, where processes share rooms, on that of their Redis; a clock that cannot
 * be corrected is left alone. Moves starts that lie too far ahead.
 */
export function keepTime(
  { db, clock, logger, redis, closers }: Base,
  io: RoomServer,
  runtime: RoomRuntime,
): void {
  const reference = isCorrectable(clock) ? referenceOf(clock, redis) : null
  const isClockRight = async () => reference === null || agrees(reference)
  closers.push(startFutureStartClamp({ db, clock, logger, runtime, isClockRight }))
  if (!isCorrectable(clock) || !reference) return
  const step = createClockStep({
    db,
    clock,
    logger,
    runtime,
    closeConnections: () => {
      for (const socket of io.sockets.sockets.values()) socket.conn.close()
    },
    claim: async () =>
      redis === null || (await redis.commands.set('earshot:clock-step', '1', 'PX', 60_000, 'NX')) === 'OK',
  })
  const readings = redis ? redisReadings(redis.commands) : null
  closers.push(followReference({ clock, logger, readReference: reference, readings, step }))
}

function referenceOf(clock: ServerClock, redis: Base['redis']): ReadReference {
  return redis ? redisReference(clock, redis.commands) : machineReference(clock)
}

function isCorrectable(clock: Clock): clock is ServerClock {
  return 'step' in clock && 'slew' in clock
}

import type { Clock } from '@earshot/core/clock'
import type { Base } from './base.ts'
import { followReference, machineReference, redisReference, setToReference } from './clock-follower.ts'
import { type ServerClock, createServerClock } from './clock.ts'
import type { RoomServer } from './realtime/room-sockets.ts'
import type { RedisLink } from './realtime/redis-link.ts'
import type { RoomRuntime } from './rooms/room-runtime.ts'
import { createClockStep, startFutureStartClamp } from './rooms/schedule/clock-step.ts'

/** Creates the clock of this process; processes that share a Redis begin with its time. */
export async function openClock(redis: RedisLink | null): Promise<ServerClock> {
  const clock = createServerClock()
  if (redis) await setToReference(clock, redisReference(clock, redis.commands))
  return clock
}

/**
 * Keeps the clock on that of the machine, or, where processes share rooms, on that of their Redis; a clock that cannot
 * be corrected is left alone. Moves starts that lie too far ahead.
 */
export function keepTime(
  { db, clock, logger, redis, closers }: Base,
  io: RoomServer,
  runtime: RoomRuntime,
): void {
  closers.push(startFutureStartClamp({ db, clock, logger, runtime }))
  if (!isCorrectable(clock)) return
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
  const readReference = redis ? redisReference(clock, redis.commands) : machineReference(clock)
  closers.push(followReference({ clock, logger, readReference, step }))
}

function isCorrectable(clock: Clock): clock is ServerClock {
  return 'step' in clock && 'slew' in clock
}

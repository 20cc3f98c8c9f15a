import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { repeat } from './async/repeat.ts'
import type { ServerClock } from './clock.ts'

const readEveryMs = 10_000
/** Smaller differences are noise of the reading. */
const toleranceMs = 2
/** Larger differences are stepped: slewing them would take hours. */
const stepAboveMs = 1_000
const redisSamples = 5

/** Reads a reference clock. Resolves to its time and ours, in ms, of about the same instant. */
export type ReadReference = () => Promise<{ referenceMs: number; ourMs: number }>

/** Reads the machine's clock. */
export function machineReference(clock: ServerClock, machineMs: () => number = Date.now): ReadReference {
  return async () => ({ referenceMs: machineMs(), ourMs: clock.now() })
}

/** Reads the clock of Redis, which all processes share: of several samples, the one with the shortest round trip. */
export function redisReference(clock: ServerClock, redis: Pick<Redis, 'time'>): ReadReference {
  return async () => {
    let best = { roundTripMs: Infinity, referenceMs: 0, ourMs: 0 }
    for (let sample = 0; sample < redisSamples; sample++) {
      const sentAtMs = clock.now()
      const [seconds, microseconds] = await redis.time()
      const roundTripMs = clock.now() - sentAtMs
      if (roundTripMs >= best.roundTripMs) continue
      const referenceMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000
      best = { roundTripMs, referenceMs, ourMs: sentAtMs + roundTripMs / 2 }
    }
    return best
  }
}

export interface ClockFollowerParts {
  clock: ServerClock
  logger: Logger
  readReference: ReadReference
  /** Steps the clock by `ms`, and what depends on it. */
  step: (ms: number) => Promise<void>
}

/**
 * Keeps the server's clock on a reference: slews differences below a second, steps larger ones that two readings
 * confirm. Returns a function that stops it and resolves when no reading is under way.
 */
export function followReference({
  clock,
  logger,
  readReference,
  step,
}: ClockFollowerParts): () => Promise<void> {
  let seenMs = 0
  const follow = async (): Promise<void> => {
    const { referenceMs, ourMs } = await readReference()
    const differenceMs = referenceMs - ourMs
    const isConfirmed = Math.abs(differenceMs - seenMs) < stepAboveMs
    seenMs = differenceMs
    if (Math.abs(differenceMs) < stepAboveMs) {
      if (Math.abs(differenceMs) > toleranceMs) clock.slew(differenceMs)
      return
    }
    if (!isConfirmed) return
    seenMs = 0
    logger.warn(
      { differenceMs: Math.round(differenceMs) },
      'The clock was set; stepping the time of all rooms with it',
    )
    await step(differenceMs)
  }
  return repeat(clock, { firstMs: readEveryMs, everyMs: readEveryMs }, follow, (error) =>
    logger.warn({ err: error }, 'Could not follow the reference clock; retrying in 10 s'),
  )
}

/** Sets a clock on a reference, before anything depends on it. */
export async function setToReference(clock: ServerClock, readReference: ReadReference): Promise<void> {
  const { referenceMs, ourMs } = await readReference()
  clock.step(referenceMs - ourMs)
}

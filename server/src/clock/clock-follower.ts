import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import { type ServerClock, createServerClock } from './server-clock.ts'

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

/** Readings by which processes that share a reference tell that it is right, and one of their clocks wrong. */
export interface SharedReadings {
  /** Counts a reading that agreed with the clock of its process. */
  add(): Promise<unknown>
  count(): Promise<number>
}

/** Counts in Redis. Not by times there, which move with its clock. */
export function redisReadings(redis: Pick<Redis, 'incr' | 'get'>): SharedReadings {
  const key = 'earshot:clock-readings'
  return { add: () => redis.incr(key), count: async () => Number(await redis.get(key)) }
}

/** Resolves to whether a clock agrees with its reference, but for what is slewed. */
export async function agrees(readReference: ReadReference): Promise<boolean> {
  const { referenceMs, ourMs } = await readReference()
  return Math.abs(referenceMs - ourMs) < stepAboveMs
}

interface ClockFollowerParts {
  clock: ServerClock
  logger: Logger
  readReference: ReadReference
  /** Null where no other process has this reference. */
  readings: SharedReadings | null
  /** Steps the clock by `ms`, and what depends on it, unless the clock of this process alone was wrong. */
  step: (ms: number, isAlone: boolean) => Promise<void>
}

/** Fewer in a row say nothing: a process that has just started agrees with a reference that has just jumped. */
const steadyReadings = 3

/**
 * Keeps the server's clock on a reference: slews differences below a second, steps larger ones that two readings
 * confirm. Returns a function that stops it and resolves when no reading is under way.
 */
export function followReference(parts: ClockFollowerParts): () => Promise<void> {
  const { clock, logger, readReference, readings, step } = parts
  let disagreed: { differenceMs: number; readings: number } | null = null
  let agreed = 0
  const follow = async (): Promise<void> => {
    const { referenceMs, ourMs } = await readReference()
    const differenceMs = referenceMs - ourMs
    if (Math.abs(differenceMs) < stepAboveMs) {
      if (Math.abs(differenceMs) > toleranceMs) clock.slew(differenceMs)
      disagreed = null
      agreed += 1
      if (agreed >= steadyReadings) await readings?.add()
      return
    }
    agreed = 0
    const before = disagreed
    const now = { differenceMs, readings: (await readings?.count()) ?? 0 }
    disagreed = now
    if (!before || Math.abs(differenceMs - before.differenceMs) >= stepAboveMs) return
    disagreed = null
    const isAlone = now.readings !== before.readings
    logger.warn({ differenceMs: Math.round(differenceMs) }, isAlone ? steppingAlone : steppingRooms)
    await step(differenceMs, isAlone)
  }
  return repeat(clock, { firstMs: readEveryMs, everyMs: readEveryMs }, follow, (error) =>
    logger.warn({ err: error }, 'Could not follow the reference clock; retrying in 10 s'),
  )
}

const steppingRooms = 'The clock was set; stepping the time of all rooms with it'
const steppingAlone =
  'The clock of this process was wrong, as after a pause of its machine; stepping it alone'

/** Creates the clock of this process; processes that share a Redis begin with its time. */
export async function openClock(redis: Pick<Redis, 'time'> | null): Promise<ServerClock> {
  const clock = createServerClock()
  if (!redis) return clock
  const { referenceMs, ourMs } = await redisReference(clock, redis)()
  clock.step(referenceMs - ourMs)
  return clock
}

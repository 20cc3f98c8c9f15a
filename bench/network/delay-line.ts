import type { Clock } from '@earshot/core/clock'
import { createRandom } from '@earshot/core/testing/random'

/** The conditions of one direction of a path. */
export interface PathConditions {
  delayMs: number
  /** Give or take, evenly. */
  jitterMs: number
  /** On average the path stands still this often; null: never. */
  stallEveryMs: number | null
  stallMs: number
}

export const calmPath: PathConditions = { delayMs: 0, jitterMs: 0, stallEveryMs: null, stallMs: 0 }

/**
 * One direction of an in-order path, as TCP is: data arrives delayed and in order, and data sent into a stall arrives at
 * its end. Deterministic by seed and send times.
 */
export interface DelayLine {
  /** Calls `deliver` when it arrives. */
  send(deliver: () => void): void
  /** Applies to data sent from now on. */
  setConditions(conditions: PathConditions): void
  /** Drops data in transit. */
  cut(): void
}

export function createDelayLine(clock: Clock, seed: number, initial: PathConditions = calmPath): DelayLine {
  const random = createRandom(seed)
  const underway: { atMs: number; deliver: () => void }[] = []
  let conditions = initial
  let cancelTimer: (() => void) | null = null
  let lastArrivalMs = 0
  let stall = drawStall(conditions, random, clock.now())

  const arrivalOf = (sentAtMs: number): number => {
    const jitterMs = (2 * random() - 1) * conditions.jitterMs
    const atMs = Math.max(lastArrivalMs, sentAtMs + conditions.delayMs + jitterMs)
    while (stall.untilMs <= atMs) stall = drawStall(conditions, random, stall.untilMs)
    lastArrivalMs = atMs >= stall.fromMs ? stall.untilMs : atMs
    return lastArrivalMs
  }

  const deliverDue = () => {
    cancelTimer = null
    while (underway[0] && underway[0].atMs <= clock.now()) underway.shift()?.deliver()
    waitForNext()
  }

  const waitForNext = () => {
    const [next] = underway
    if (next && !cancelTimer) cancelTimer = clock.after(Math.max(0, next.atMs - clock.now()), deliverDue)
  }

  return {
    send(deliver) {
      underway.push({ atMs: arrivalOf(clock.now()), deliver })
      waitForNext()
    },
    setConditions(next) {
      conditions = next
      stall = drawStall(conditions, random, clock.now())
    },
    cut() {
      cancelTimer?.()
      cancelTimer = null
      underway.length = 0
    },
  }
}

/** The next stretch in which the path stands still: they come by chance, independent of each other. */
function drawStall(
  { stallEveryMs, stallMs }: PathConditions,
  random: () => number,
  afterMs: number,
): { fromMs: number; untilMs: number } {
  if (stallEveryMs === null) return { fromMs: Infinity, untilMs: Infinity }
  const fromMs = afterMs - Math.log(1 - random()) * stallEveryMs
  return { fromMs, untilMs: fromMs + stallMs }
}

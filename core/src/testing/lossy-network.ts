import type { Clock } from '../clock.ts'
import { createRandom } from './random.ts'

/** The conditions of a network path. Rates are 0..1, times in ms. */
export interface NetworkConditions {
  /** One-way delays; the directions may differ. */
  upDelayMs: number
  downDelayMs: number
  /** The maximum random addition to each delay. */
  jitterMs: number
  dropRate: number
  duplicateRate: number
  /** This share of messages is delayed by another `reorderMs`, so that later ones overtake them. */
  reorderRate: number
  reorderMs: number
  /** This share of messages starts a stall: they and all that follow arrive together, `stallMs` later. */
  stallRate: number
  stallMs: number
  /** The mean delay by a queue that somebody's download keeps before the client; it varies within some 300 ms. */
  downQueueMs: number
}

export const calmNetwork: NetworkConditions = {
  upDelayMs: 10,
  downDelayMs: 10,
  jitterMs: 0,
  dropRate: 0,
  duplicateRate: 0,
  reorderRate: 0,
  reorderMs: 0,
  stallRate: 0,
  stallMs: 0,
  downQueueMs: 0,
}

export type Direction = 'up' | 'down'

/** The path between one client and the server. Deterministic for a seed. */
export interface LossyNetwork {
  /** Calls `deliver` later, never, or twice. */
  send(direction: Direction, deliver: () => void): void
  /** Applies conditions to later messages, and ends a stall for them. */
  setConditions(conditions: NetworkConditions): void
  /** The number of delivered messages, including duplicates. */
  readonly delivered: number
}

const queueChangesWithinMs = 300

export function createLossyNetwork(
  clock: Clock,
  seed: number,
  initialConditions: NetworkConditions = calmNetwork,
): LossyNetwork {
  const random = createRandom(seed)
  let conditions = initialConditions
  let delivered = 0
  const stalledUntilMs: Record<Direction, number> = { up: 0, down: 0 }
  let queue = { ms: 0, atMs: -Infinity }

  /** An autoregressive process around the mean, cut off at 0. */
  const queueDelay = (): number => {
    const { downQueueMs: meanMs } = conditions
    if (meanMs === 0) return 0
    const kept = Math.exp((queue.atMs - clock.now()) / queueChangesWithinMs)
    const noise = (2 * random() - 1) * 1.2 * Math.sqrt(1 - kept * kept)
    const ms = Math.max(0, meanMs + (queue.ms - meanMs) * kept + meanMs * noise)
    queue = { ms, atMs: clock.now() }
    return ms
  }

  const delayOf = (direction: Direction): number => {
    const baseMs = direction === 'up' ? conditions.upDelayMs : conditions.downDelayMs
    const reorderDelayMs = random() < conditions.reorderRate ? conditions.reorderMs : 0
    if (random() < conditions.stallRate) stalledUntilMs[direction] = clock.now() + conditions.stallMs
    const stalledMs = Math.max(0, stalledUntilMs[direction] - clock.now())
    const queueMs = direction === 'down' ? queueDelay() : 0
    return Math.max(baseMs + random() * conditions.jitterMs + reorderDelayMs + queueMs, stalledMs)
  }

  return {
    send(direction, deliver) {
      const copies = random() < conditions.duplicateRate ? 2 : 1
      for (let copy = 0; copy < copies; copy++) {
        if (random() < conditions.dropRate) continue
        clock.after(delayOf(direction), () => {
          delivered++
          deliver()
        })
      }
    },
    setConditions(next) {
      conditions = next
      stalledUntilMs.up = 0
      stalledUntilMs.down = 0
    },
    get delivered() {
      return delivered
    },
  }
}

import type { Clock } from '../clock.ts'
import { createRandom } from './random.ts'

/** What a path does to messages. Rates are 0..1, times in ms. */
export interface NetworkConditions {
  /** One way, there and back may differ. */
  upDelayMs: number
  downDelayMs: number
  /** Added to each delay at random, up to this. */
  jitterMs: number
  dropRate: number
  duplicateRate: number
  /** This share of messages waits `reorderMs` longer, so that later ones overtake it. */
  reorderRate: number
  reorderMs: number
  /** This share of messages meets a stall: it and all that follow arrive together, `stallMs` later. */
  stallRate: number
  stallMs: number
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
}

export type Direction = 'up' | 'down'

/** The path between one client and the server. The same seed does the same to the same messages. */
export interface LossyNetwork {
  /** Hands the message over by calling `deliver`, later, never, or twice. */
  send(direction: Direction, deliver: () => void): void
  /** From now on; a stall that lasts ends for what is sent after it. */
  setConditions(conditions: NetworkConditions): void
  /** Messages handed over, duplicates included. */
  readonly delivered: number
}

export function createLossyNetwork(
  clock: Clock,
  seed: number,
  initialConditions: NetworkConditions = calmNetwork,
): LossyNetwork {
  const random = createRandom(seed)
  let conditions = initialConditions
  let delivered = 0
  const stalledUntilMs: Record<Direction, number> = { up: 0, down: 0 }

  const delayOf = (direction: Direction): number => {
    const baseMs = direction === 'up' ? conditions.upDelayMs : conditions.downDelayMs
    const heldBackMs = random() < conditions.reorderRate ? conditions.reorderMs : 0
    if (random() < conditions.stallRate) stalledUntilMs[direction] = clock.now() + conditions.stallMs
    const stalledMs = Math.max(0, stalledUntilMs[direction] - clock.now())
    return Math.max(baseMs + random() * conditions.jitterMs + heldBackMs, stalledMs)
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

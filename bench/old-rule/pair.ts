import type { FakeClock } from '@earshot/core/testing/fake-clock'
import { deviceOptions } from '@earshot/core/testing/fake-player'
import { type NetworkConditions, calmNetwork } from '@earshot/core/testing/lossy-network'
import type { PersonOptions } from '@earshot/core/testing/simulation'

/** An owner who plays and a listener who follows by one rule or another, on one fake clock. Positions in ms. */
export interface Pair {
  readonly clock: FakeClock
  play(): void
  pause(): void
  seek(positionMs: number): void
  /** The listener comes. */
  join(): void
  /** Nothing reaches the listener any more, nor anything from them. */
  cutOff(): void
  /** The listener's connection is there again, and made anew. */
  reconnect(): void
  /** How far the listener's sound is ahead of the owner's; null while either is silent. */
  apartMs(): number | null
}

/** The device of both people: one that starts at once and to the sample, so that only the rule tells them apart. */
export const device = deviceOptions.library

/** A good connection: 10 ms each way, and a little jitter. */
export const nearby: NetworkConditions = { ...calmNetwork, jitterMs: 2 }

/** The owner: near the server, with the right time. */
export const ownerOptions: PersonOptions = {
  device,
  conditions: nearby,
  clockOffsetMs: 0,
  clockDriftPpm: 0,
  seed: 7_001,
}

export const trackMs = 3_600_000
